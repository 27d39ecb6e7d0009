"""Decoding of picture files in a separate process, independent of the web app.

`python -m capsnet_explorer.pictures.decoding` reads one file after another. It imports
Pillow and nothing else that is large, so that a new process is ready in a tenth of a
second.
"""
