"""Many runs from one file of settings: the command `sweep SETTINGS.toml`."""
