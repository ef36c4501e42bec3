"""URLs that name several hosts: `scheme://user:password@host:port,host:port/path`."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

_PLACE = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::([0-9]{1,5}))?")


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of such a URL, decoded."""

    username: str | None
    password: str | None
    hosts: tuple[tuple[str, int], ...]
    path: tuple[str, ...]


def parse(url: str, default_port: int) -> Address:
    """The parts of a URL with several hosts; raises `ValueError` where there is none, or no right port."""
    _, _, rest = url.partition("://")
    authority, _, path = rest.partition("/")
    credentials, _, places = authority.rpartition("@")
    username, _, password = credentials.partition(":")
    hosts = tuple(_host(place, default_port) for place in places.split(","))
    return Address(
        unquote(username) or None,
        unquote(password) or None,
        hosts,
        tuple(part for part in path.split("/") if part),
    )


def _host(place: str, default_port: int) -> tuple[str, int]:
    found = _PLACE.fullmatch(place)
    if not found or not 0 < (port := int(found[2] or default_port)) < 65_536:
        raise ValueError(f"no host and port: {place!r}")
    return found[1].strip("[]"), port
