"""Training runs: the loop, and the files of a run."""
