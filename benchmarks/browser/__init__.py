"""Waiting times on the page, measured in a headless Chromium."""
