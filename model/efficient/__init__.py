"""Efficient-CapsNet: sixteen primary capsules, routed by attention in one step."""
