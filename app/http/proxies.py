"""The address under which a proxy serves the explorer: X-Forwarded-Host and its kind.

Anybody can send these headers, so they count only where the operator says that a proxy
sets them. The page needs none of them: its addresses are relative. What they change is
the name that the host check sees, and the addresses in the document of the API.
"""

import re

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

from capsnet_explorer.app.errors import ApiError, short

PREFIX = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~@+-]+)*/?")
PROTOCOLS = ("http", "https")
SIGNS = {"Forwarded", "Via", "X-Real-Ip"}


class BadForwarding(ApiError):
    """The proxy says something that cannot be."""

    status = 400


def is_forwarded() -> bool:
    """Whether a request shows any sign of having come through another server."""
    return any(
        name.startswith("X-Forwarded-") or name in SIGNS
        for name in map(str.title, request.headers.keys())
    )


def register_proxy(app: Flask) -> None:
    """Trust what the nearest proxy says of scheme, host and path of its own address."""
    app.wsgi_app = ProxyFix(app.wsgi_app, x_for=0, x_proto=1, x_host=1, x_prefix=1)

    @app.before_request
    def check_forwarding() -> None:
        prefix, protocol = _last("X-Forwarded-Prefix"), _last("X-Forwarded-Proto")
        if not PREFIX.fullmatch(prefix):
            raise BadForwarding(
                "X-Forwarded-Prefix must be a path such as /explorer, of letters, "
                f"digits and -._~@+, got {short(prefix)}"
            )
        if protocol and protocol not in PROTOCOLS:
            raise BadForwarding(
                f"X-Forwarded-Proto must be http or https, got {short(protocol)}"
            )


def public_address() -> str | None:
    """Return the explorer's address as the proxy says it, if one is trusted."""
    if "werkzeug.proxy_fix.orig" not in request.environ:
        return None
    return request.root_url.rstrip("/")


def _last(name: str) -> str:
    """Return what the nearest proxy says; each adds its own after a comma."""
    return request.headers.get(name, "").rpartition(",")[2].strip()
