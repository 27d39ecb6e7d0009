"""The HTTP API: checks requests, asks engines, writes responses."""
