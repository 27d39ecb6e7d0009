"""How a layer's values become capsules: cut, squashed, or as a part returns them."""
