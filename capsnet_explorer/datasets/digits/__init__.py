"""The sample digits that come with the project."""

from capsnet_explorer.datasets.digits.loading import Sample, load_samples

__all__ = ["Sample", "load_samples"]
