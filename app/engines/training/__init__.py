"""Training runs: what stands on the disk, the process, and models that are kept."""
