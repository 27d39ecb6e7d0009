"""Compresses answers where it pays, at a level that costs no time to speak of."""

from flask import Flask, Response
from flask_compress import Compress

# Not safetensors: halved floats hardly shrink, and packing them costs more than
# sending them.
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

MIN_SIZE = 1000  # bytes; a smaller answer fits one packet anyway


def register_compression(app: Flask) -> None:
    """Compress the answers of `app` for clients that accept it."""
    app.config.update(
        COMPRESS_MIMETYPES=sorted(COMPRESSED),
        COMPRESS_MIN_SIZE=MIN_SIZE,
        COMPRESS_LEVEL=1,
        COMPRESS_BR_LEVEL=1,
        COMPRESS_ZSTD_LEVEL=1,
    )
    Compress(app)
    # Flask runs the last one registered first.
    app.after_request(_read_files)


def _read_files(response: Response) -> Response:
    """Read a file to be sent: one that is compressed as a stream is never closed."""
    if response.direct_passthrough and response.mimetype in COMPRESSED:
        response.direct_passthrough = False
        body = response.get_data()
        response.close()
        response.set_data(body)
    return response
