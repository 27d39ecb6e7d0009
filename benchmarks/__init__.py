"""Benchmarks of our implementations against plain ones, in one run on one machine."""
