"""Decoding of picture files in a separate process, independent of the web app.

`python -m picture_files` reads one file after another. It imports Pillow and nothing
else that is large, so that a new process is ready in a tenth of a second.
"""
