"""The capsule network: its parts, its training, its weights."""
