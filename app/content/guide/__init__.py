"""The guide: chapters about this very network, each step with a link to a state.

`docs/guide-format.md` tells authors how chapters are written.
"""

from collections.abc import Mapping
from typing import cast

from flask import Flask, current_app

from capsnet_explorer.app.content.guide.chapters import load_chapters
from capsnet_explorer.app.content.guide.filling import Chapter, Ending, Guide, ending
from capsnet_explorer.app.engines.protocol import Engine

EXTENSION = "capsnet-guide"

__all__ = [
    "Chapter",
    "Ending",
    "Guide",
    "current_guide",
    "ending",
    "load_chapters",
    "register_guide",
]


def register_guide(app: Flask, engines: Mapping[str, Engine]) -> None:
    """Make the guide available to the routes of `app`."""
    app.extensions[EXTENSION] = Guide(None, engines)


def current_guide() -> Guide:
    """Return the guide of the current app."""
    return cast(Guide, current_app.extensions[EXTENSION])
