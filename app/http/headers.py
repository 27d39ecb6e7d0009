"""Security headers of every response.

Strict-Transport-Security is not among them: only a proxy that adds TLS may promise it.
"""

import re
from collections.abc import Sequence

from flask import Flask, Response

# An origin that may show the page in a frame, as a policy writes it; `:*` is any port.
FRAME = re.compile(r"https?://(\[[0-9a-f:.]+\]|(\*\.)?[a-z0-9._-]+)(:(\d{1,5}|\*))?")

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
    # Prevents scripts from turning text into markup or code.
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}

UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "serial",
    "usb",
    "xr-spatial-tracking",
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # the same as frame-ancestors, for old browsers
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    # Isolates the page in a process that no other page shares, opens or embeds.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
}


def content_security_policy(**changes: str | None) -> str:
    """Return the policy with changes: `style_src=...`; None omits a directive."""
    changed = {name.replace("_", "-"): value for name, value in changes.items()}
    policy = POLICY | changed
    return "; ".join(f"{name} {value}" for name, value in policy.items() if value)


STRICT = content_security_policy()

ALWAYS = (
    ("Content-Security-Policy", STRICT),
    # Revalidate before reusing a response, unless its route sets another policy.
    ("Cache-Control", "no-cache"),
    *HEADERS.items(),
)


def register_headers(app: Flask, frames: Sequence[str] = ()) -> None:
    """Add the headers to every response, including errors."""
    always = _opened_to(frames) if frames else ALWAYS

    @app.after_request
    def add_headers(response: Response) -> Response:
        # One pass over the list: each look-up in a response would search it again.
        names = {name.lower() for name in response.headers.keys()}  # noqa: SIM118
        for name, value in always:
            if name.lower() not in names:
                response.headers.add(name, value)
        return response


def _opened_to(frames: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the headers for an app that pages of these origins may show in a frame."""
    policy = content_security_policy(frame_ancestors=" ".join(("'self'", *frames)))
    others = {name: value for name, value in ALWAYS if name != "X-Frame-Options"}
    return tuple((others | {"Content-Security-Policy": policy}).items())
