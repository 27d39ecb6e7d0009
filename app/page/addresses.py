"""Addresses in pages: relative ones, so that a proxy may serve them below any path."""

from base64 import b64encode
from typing import Any

from flask import current_app, request
from markupsafe import Markup

from capsnet_explorer.app.page.files import current_static_folder


def addresses() -> dict[str, Any]:
    """Return what templates need to write addresses for the page that is requested.

    Returns:
        `root`: the explorer's own address, relative to the page's, such as `../`;
        `asset`: the function that returns the address of a static file, which is all of
        it where the page is one file; `text_of`: returns what a script or sheet says.
    """
    static = current_static_folder().refreshed()
    up = "../" * (request.path.count("/") - 1)

    def asset(name: str) -> str:
        if not current_app.jinja_env.globals["is_file"]:
            return up + static.address(name)
        file = static.files[name]
        return f"data:{file.mimetype};base64,{b64encode(file.body).decode()}"

    def text_of(name: str) -> Markup:
        return Markup(static.files[name].body.decode())

    return {"root": up or "./", "asset": asset, "text_of": text_of}
