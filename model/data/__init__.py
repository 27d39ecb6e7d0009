"""Data sets, training batches and image augmentation."""
