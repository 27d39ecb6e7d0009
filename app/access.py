"""Who may use the server: the names it answers to, the sites whose pages may ask it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Flask

from app.hosts import NAME, register_hosts
from app.origins import ANY, ORIGIN, register_origins


@dataclass(frozen=True, slots=True)
class Access:
    """What whoever runs the server allows beyond this machine's names and own page.

    Attributes:
        hosts: further names that the server answers to; `.example.org` stands for every
            name below it.
        origins: sites whose pages may use the API, such as `https://example.org`;
            `*` for every one.

    Raises:
        ValueError: something that is neither a name nor an origin.
    """

    hosts: Sequence[str] = ()
    origins: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in self.hosts:
            if not NAME.fullmatch(name):
                raise ValueError(
                    f"an allowed host must be a name such as explorer.example.org, "
                    f"without port or path, got {name!r}"
                )
        for origin in self.origins:
            if origin != ANY and not ORIGIN.fullmatch(origin):
                raise ValueError(
                    "an allowed origin must be such as https://example.org, in small "
                    f"letters, without path, or {ANY}, got {origin!r}"
                )


def access_from(
    environment: Mapping[str, str],
    hosts: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
) -> Access:
    """Take what is given, and the rest from the environment.

    Args:
        environment: CAPSNET_ALLOW_HOSTS and CAPSNET_CORS, values separated by spaces.
        hosts: as in `Access`; None takes the environment's.
        origins: as in `Access`; None takes the environment's.

    Raises:
        ValueError: something that is neither a name nor an origin.
    """
    if hosts is None:
        hosts = environment.get("CAPSNET_ALLOW_HOSTS", "").split()
    if origins is None:
        origins = environment.get("CAPSNET_CORS", "").split()
    return Access(hosts, origins)


def register_access(app: Flask, access: Access) -> None:
    """Refuse the requests that `access` does not allow."""
    register_hosts(app, access.hosts)
    register_origins(app, access.origins)
