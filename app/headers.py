"""Headers that every answer carries: what a browser may do with it.

Strict-Transport-Security is not among them: only whoever adds TLS may promise it.
"""

from flask import Flask, Response

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
    # No text ever becomes markup or code, whatever a script is made to do.
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
    "X-Frame-Options": "DENY",  # what frame-ancestors says, for old browsers
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
    # A process of its own, which no other page shares, opens or embeds.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
}


def content_security_policy(**changes: str | None) -> str:
    """Write the policy, changed: `style_src` for `style-src`, None to leave one out."""
    changed = {name.replace("_", "-"): value for name, value in changes.items()}
    policy = POLICY | changed
    return "; ".join(f"{name} {value}" for name, value in policy.items() if value)


STRICT = content_security_policy()

ALWAYS = (
    ("Content-Security-Policy", STRICT),
    # Ask again before reusing an answer, unless its route says better.
    ("Cache-Control", "no-cache"),
    *HEADERS.items(),
)


def register_headers(app: Flask) -> None:
    """Add the headers to every answer, errors included."""

    @app.after_request
    def add_headers(response: Response) -> Response:
        # Looked up together: a response searches its list of headers for each.
        given = {name.lower() for name in response.headers.keys()}  # noqa: SIM118
        for name, value in ALWAYS:
            if name.lower() not in given:
                response.headers.add(name, value)
        return response
