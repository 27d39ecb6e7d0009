"""What a person waits for on the page, measured in a headless Chromium."""
