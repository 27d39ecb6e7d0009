"""The data sets and the format of their files, for both training and the web app.

This package imports neither of them, so that both can import it.
"""
