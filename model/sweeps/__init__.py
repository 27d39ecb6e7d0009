"""Many runs from one file of settings: `python -m model sweep SETTINGS.toml`."""
