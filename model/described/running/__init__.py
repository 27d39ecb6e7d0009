"""Running somebody's module: watched, within limits, and given back as it was."""
