"""The CapsNet with its weights repacked for fast inference."""
