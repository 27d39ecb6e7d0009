"""The host names that the server accepts.

Another site can point its own name at this machine (DNS rebinding), and a browser would
then treat its page as ours. IP addresses cannot be abused in this way, so the server
accepts them all; it accepts only known names.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Collection

from flask import Flask, request

from capsnet_explorer.app.errors import ApiError, short

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?", re.IGNORECASE)
NAME = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)


class UnknownHost(ApiError):
    """The request names a host that this server does not accept."""

    status = 421  # "misdirected request"


def register_hosts(app: Flask, allowed: Collection[str]) -> None:
    """Refuse every request whose Host header names an unknown host.

    Args:
        app: the app to guard.
        allowed: further names; one that starts with a dot includes all subdomains.
    """
    trusted = trust({"localhost", ".localhost", *own_names(), *allowed})

    @app.before_request
    def check_host() -> None:
        # Only HTTP/1.0 lacks a Host header, and no browser speaks it.
        host = request.headers.get("Host")
        if host is not None and not trusted(host):
            raise UnknownHost(_advice(host))


def trust(names: Collection[str]) -> Callable[[str], bool]:
    """Return a predicate that accepts IP addresses and `names`, with any port."""
    whole = {name.lower() for name in names if not name.startswith(".")}
    endings = tuple(name.lower() for name in names if name.startswith("."))

    def trusted(header: str) -> bool:
        parts = HOST.fullmatch(header)
        if parts is None:
            return False
        name = parts[1].lower().removesuffix(".")
        return name in whole or name.endswith(endings) or _is_number(name)

    return trusted


def own_names() -> set[str]:
    """Return this machine's host names, including its name on a local network."""
    name = socket.gethostname()
    first = name.partition(".")[0]
    return {host for host in (name, first, f"{first}.local") if NAME.fullmatch(host)}


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _advice(host: str) -> str:
    parts = HOST.fullmatch(host)
    if parts is None:
        return f"the Host header must name a host, got {short(host)}"
    return (
        f"this server does not accept the host name {short(parts[1])}: use localhost "
        "or its IP address; its operator can allow the name with --allow-host (or "
        "CAPSNET_ALLOW_HOSTS)"
    )
