"""Compression of responses where it pays, at a level that takes hardly any time."""

from flask import Flask, Response
from flask_compress import Compress

# Not safetensors: half-precision floats hardly shrink, and compressing them takes
# longer than sending them.
COMPRESSED = frozenset(
    {
        "application/javascript",
        "application/json",
        "application/manifest+json",
        "image/svg+xml",
        "text/css",
        "text/html",
        "text/javascript",
        "text/plain",
    }
)

MIN_SIZE = 1000  # bytes; a smaller response fits into one packet anyway


def register_compression(app: Flask) -> None:
    """Compress the responses of `app` for clients that accept it."""
    app.config.update(
        COMPRESS_MIMETYPES=sorted(COMPRESSED),
        COMPRESS_MIN_SIZE=MIN_SIZE,
        COMPRESS_LEVEL=1,
        COMPRESS_BR_LEVEL=1,
        COMPRESS_ZSTD_LEVEL=1,
    )
    Compress(app)
    # Flask runs the function that was registered last first.
    app.after_request(_read_files)


def _read_files(response: Response) -> Response:
    """Read a file into memory: the compressor never closes one it streams."""
    if response.direct_passthrough and response.mimetype in COMPRESSED:
        response.direct_passthrough = False
        body = response.get_data()
        response.close()
        response.set_data(body)
    return response
