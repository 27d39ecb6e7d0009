"""How well people's own digits are read: real drawings, and made conditions."""
