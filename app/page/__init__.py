"""The page and its static files."""
