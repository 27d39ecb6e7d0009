"""The digits that come with the project: strokes drawn for it, kept as data."""

from app.samples.loading import Sample, load_samples

__all__ = ["Sample", "load_samples"]
