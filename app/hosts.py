"""Which names the server answers to.

A page of another site can point its own name at this machine (DNS rebinding) and would
then be taken for our page. With an address made of numbers it cannot: those are always
answered, names only when they are known to be ours.
"""

import ipaddress
import re
import socket
from collections.abc import Callable, Collection

from flask import Flask, request

from app.errors import ApiError, short

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?", re.IGNORECASE)
NAME = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)


class UnknownHost(ApiError):
    """The request names a host that this server does not answer to."""

    status = 421  # "misdirected request"


def register_hosts(app: Flask, allowed: Collection[str]) -> None:
    """Refuse every request whose Host header names somebody else.

    Args:
        app: the app to guard.
        allowed: further names; one that starts with a dot stands for all below it.
    """
    trusted = trust({"localhost", ".localhost", *own_names(), *allowed})

    @app.before_request
    def check_host() -> None:
        # Only HTTP/1.0 has no Host, and no browser speaks that.
        host = request.headers.get("Host")
        if host is not None and not trusted(host):
            raise UnknownHost(_advice(host))


def trust(names: Collection[str]) -> Callable[[str], bool]:
    """Return a test for Host headers: a number, or one of `names`, and any port."""
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
    """Return what this machine calls itself, and what a local network calls it."""
    name = socket.gethostname()
    first = name.partition(".")[0]
    return {each for each in (name, first, f"{first}.local") if NAME.fullmatch(each)}


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
        f"this server does not answer to the name {short(parts[1])}: use localhost or "
        "its IP address; whoever runs it can allow the name with --allow-host "
        "(or CAPSNET_ALLOW_HOSTS)"
    )
