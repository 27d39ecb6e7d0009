"""Surgery on routing: what a request may change, shared by all networks that route."""
