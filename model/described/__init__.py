"""Anybody's network: described by its owner, recomputed here, and compared with itself.

`describe` runs a module, recomputes every described layer from the one below with this
project's arithmetic, and compares the results with what the module itself computes.
What a description cannot say it tries: how capsules are cut, over which axis the
softmax runs, how many iterations there are.
"""
