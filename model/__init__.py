"""Networks: their layers, training, measurements and weights."""
