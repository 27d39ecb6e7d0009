"""Figures of a training run and of its network."""
