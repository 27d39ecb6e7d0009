"""Accuracy on handwritten digits: real drawings, and synthetic conditions."""
