"""A described network as the page shows it."""
