"""Speed, compared in one run on one machine: ours against the plainest way."""
