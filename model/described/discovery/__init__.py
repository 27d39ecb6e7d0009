"""A description found from a module and images alone; `describe` is its judge."""
