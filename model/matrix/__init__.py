"""Matrix capsules with EM routing."""
