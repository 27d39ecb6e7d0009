"""How well a network's answer tells digits from other pictures."""
