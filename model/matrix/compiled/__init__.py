"""EM routing for training, compiled by Numba: the readable loop's results, faster."""
