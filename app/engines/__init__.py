"""Networks behind one protocol, shared by all requests of a process."""
