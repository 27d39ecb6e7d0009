"""Files of pictures → pixels, in a process of its own that knows nothing of the web.

`python -m picture_files` reads one file after the other. It imports Pillow and nothing
else that is large, so that a new one is ready in a tenth of a second.
"""
