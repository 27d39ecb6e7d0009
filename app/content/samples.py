"""The sample digits, as the web application knows them."""

from capsnet_explorer.sample_digits import Sample, load_samples

__all__ = ["Sample", "load_samples"]
