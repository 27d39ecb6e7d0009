"""The HTTP server and what applies to every request: limits, headers, logs."""
