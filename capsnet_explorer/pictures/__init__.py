"""Picture files → pixels (`decoding`) → a network's input (`reading`)."""
