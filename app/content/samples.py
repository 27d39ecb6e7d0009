"""The sample digits, as the web application knows them."""

from sample_digits import Sample, load_samples

__all__ = ["Sample", "load_samples"]
