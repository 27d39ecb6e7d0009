"""The laboratory's changes of images, for both measurements and the web app.

This package imports neither of them, so that both can import it.
"""
