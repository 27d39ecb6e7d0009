"""The sample digits that come with the project."""

from capsnet_explorer.datasets.digits.loading import Sample, is_sample, load_samples

__all__ = ["Sample", "is_sample", "load_samples"]
