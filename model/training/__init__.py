"""Training runs: the loop, its processes, and the files of a run."""
