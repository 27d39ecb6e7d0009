"""What the background of a colour picture does to a network."""
