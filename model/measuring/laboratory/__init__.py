"""The laboratory's experiments, measured over many test images."""
