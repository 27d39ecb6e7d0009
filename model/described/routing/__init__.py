"""How capsules are routed to the next: the forms that are recomputed."""
