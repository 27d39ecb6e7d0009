"""HTTP caching: how long a response stays fresh, and its revalidation by ETag."""

import hashlib
from collections.abc import Callable

from flask import Response, request

FOR_GOOD = "public, max-age=31536000, immutable"  # a year, the longest caches honour


def fresh(
    tag: str, answer: Callable[[], Response], *, cache_control: str = "no-cache"
) -> Response:
    """Respond with 304 if the client already holds `tag`, else in full.

    The tag is weak, so that it stays valid under compression, which changes the bytes.

    Args:
        tag: changes whenever the response does.
        answer: makes the full response; called only when needed.
        cache_control: the Cache-Control header.
    """
    known = request.if_none_match.contains_weak(tag)
    response = Response(status=304) if known else answer()
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = cache_control
    return response


def tag_of(body: bytes) -> str:
    """Return a tag that changes whenever `body` does."""
    return hashlib.sha256(body).hexdigest()[:16]
