"""Weights of this project's networks that others have trained, in any usual file.

The tensors are found by shape and name. What these do not tell, such as the order of
axes, is tried on test images, all together; what cannot be told apart is refused.
"""
