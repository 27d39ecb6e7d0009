"""How the error depends on the number of training examples: `python -m model examples`.

Networks of every kind learn from the same few or many digits: each is shown as many
images as the others, and each is trained for as long as the others.
"""
