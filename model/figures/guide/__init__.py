"""The figures of the guide's article, and what they show in words."""
