"""What several networks need: the description of their layers, and their arithmetic."""
