"""How long tests wait for what must come: on a machine that does much else, too."""

PATIENCE_S = 120  # an answer, a signal, an entry in a log
START_S = 300  # a server; a cold machine reads torch from a slow disk
