"""Access to the server: its host names, and the sites whose pages may call it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from capsnet_explorer.app.http.hosts import NAME, register_hosts
from capsnet_explorer.app.http.origins import ANY, ORIGIN, register_origins
from flask import Flask


@dataclass(frozen=True, slots=True)
class Access:
    """Access that the operator grants beyond this machine's names and its own page.

    Attributes:
        hosts: further host names to accept; `.example.org` includes all subdomains.
        origins: sites whose pages may use the API, such as `https://example.org`;
            `*` allows all.

    Raises:
        ValueError: a value is not a valid name or origin.
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
                    "an allowed origin must look like https://example.org, in lower "
                    f"case, without path, or be {ANY}, got {origin!r}"
                )


def access_from(
    environment: Mapping[str, str],
    hosts: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
) -> Access:
    """Return the access given by the arguments, or else by the environment.

    Args:
        environment: may set CAPSNET_ALLOW_HOSTS and CAPSNET_CORS, each to values
            separated by spaces.
        hosts: as in `Access`; None takes the environment's.
        origins: as in `Access`; None takes the environment's.

    Raises:
        ValueError: a value is not a valid name or origin.
    """
    if hosts is None:
        hosts = environment.get("CAPSNET_ALLOW_HOSTS", "").split()
    if origins is None:
        origins = environment.get("CAPSNET_CORS", "").split()
    return Access(hosts, origins)


def register_access(app: Flask, access: Access) -> None:
    """Refuse requests that `access` does not allow."""
    register_hosts(app, access.hosts)
    register_origins(app, access.origins)
