"""Access to the server: its names, its proxy, and sites that may call or embed it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Flask

from capsnet_explorer.app.http.headers import FRAME, register_headers
from capsnet_explorer.app.http.hosts import NAME, register_hosts
from capsnet_explorer.app.http.origins import ANY, ORIGIN, register_origins
from capsnet_explorer.app.http.proxies import register_proxy


@dataclass(frozen=True, slots=True)
class Access:
    """Access that the operator grants beyond this machine's names and its own page.

    Attributes:
        hosts: further host names to accept; `.example.org` includes all subdomains.
        origins: sites whose pages may use the API, such as `https://example.org`;
            `*` allows all.
        frames: sites whose pages may show the explorer in a frame, such as
            `https://example.org` or `https://*.example.org`.
        is_behind_proxy: whether a proxy sets X-Forwarded-Host, -Proto and -Prefix.

    Raises:
        ValueError: a value is not a valid name or origin.
    """

    hosts: Sequence[str] = ()
    origins: Sequence[str] = ()
    frames: Sequence[str] = ()
    is_behind_proxy: bool = False

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
        for origin in self.frames:
            if not FRAME.fullmatch(origin):
                raise ValueError(
                    "an origin that may show the explorer in a frame must look like "
                    "https://example.org or https://*.example.org, in lower case, "
                    f"without path, got {origin!r}"
                )

    @property
    def is_for_others(self) -> bool:
        """Whether it lets in people who do not sit at this machine."""
        return bool(self.hosts or self.origins or self.frames or self.is_behind_proxy)


def access_from(
    environment: Mapping[str, str],
    hosts: Sequence[str] | None = None,
    origins: Sequence[str] | None = None,
    frames: Sequence[str] | None = None,
    *,
    is_behind_proxy: bool = False,
) -> Access:
    """Return the access given by the arguments, or else by the environment.

    Args:
        environment: may set CAPSNET_ALLOW_HOSTS, CAPSNET_CORS and CAPSNET_ALLOW_FRAMES,
            each to values separated by spaces.
        hosts: as in `Access`; None takes the environment's.
        origins: as in `Access`; None takes the environment's.
        frames: as in `Access`; None takes the environment's.
        is_behind_proxy: as in `Access`.

    Raises:
        ValueError: a value is not a valid name or origin.
    """
    if hosts is None:
        hosts = environment.get("CAPSNET_ALLOW_HOSTS", "").split()
    if origins is None:
        origins = environment.get("CAPSNET_CORS", "").split()
    if frames is None:
        frames = environment.get("CAPSNET_ALLOW_FRAMES", "").split()
    return Access(hosts, origins, frames, is_behind_proxy)


def register_access(app: Flask, access: Access) -> None:
    """Refuse requests that `access` does not allow, and tell browsers the rest."""
    if access.is_behind_proxy:
        register_proxy(app)
    register_hosts(app, access.hosts)
    register_origins(app, access.origins)
    register_headers(app, access.frames)
