"""Matrix capsules prepared for fast inference."""
