"""The images that the explorer offers: samples and data sets."""
