"""Measurements of a trained network, and the card that records them."""
