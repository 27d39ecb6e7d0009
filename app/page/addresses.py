"""Addresses in pages: relative ones, so that a proxy may serve them below any path."""

from typing import Any

from flask import request

from capsnet_explorer.app.page.files import current_static_folder


def addresses() -> dict[str, Any]:
    """Return what templates need to write addresses for the page that is requested.

    Returns:
        `root`: the explorer's own address, relative to the page's, such as `../`;
        `asset`: the function that returns the address of a static file.
    """
    static = current_static_folder().refreshed()
    up = "../" * (request.path.count("/") - 1)
    return {"root": up or "./", "asset": lambda name: up + static.address(name)}
