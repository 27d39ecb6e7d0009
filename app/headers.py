"""Headers that every answer carries: what a browser may do with it."""

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
}

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def content_security_policy(**changes: str) -> str:
    """Write the policy, with directives changed: `style_src` for `style-src`."""
    changed = {name.replace("_", "-"): value for name, value in changes.items()}
    return "; ".join(f"{name} {value}" for name, value in (POLICY | changed).items())


STRICT = content_security_policy()


def register_headers(app: Flask) -> None:
    """Add the headers to every answer, errors included."""

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", STRICT)
        # Ask again before reusing an answer, unless its route says better.
        response.headers.setdefault("Cache-Control", "no-cache")
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response
