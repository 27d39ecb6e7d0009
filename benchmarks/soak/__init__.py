"""Many people at once against the real server, for as long as one likes."""
