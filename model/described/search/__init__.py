"""The search for what a description does not say, and what its weights can tell."""
