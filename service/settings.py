"""What can be set from outside: environment variables, each with a default, read once at the start."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from service.address import parse

DAY = 86_400
YEAR = 365 * DAY
LOG_LEVELS = ("debug", "info", "warning", "error")
DURABILITIES = ("primary", "replica")
_CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")


STORES = (
    "redis://HOST:PORT/DATABASE, rediss://HOST:PORT/DATABASE, unix:///PATH,"
    " redis+cluster://HOST:PORT,HOST:PORT or redis+sentinel://HOST:PORT,HOST:PORT/NAME"
)
PERIODS = {"second": 1, "minute": 60, "hour": 3600, "day": DAY}
MOST_REQUESTS = 1_000_000
SHORTEST_KEY = 16
MOST_STREAMS = 900
"""Of the 1,000 connections that a worker takes; the rest is for requests."""


class BadSetting(Exception):
    """A variable has a value that can't be used. As text: one line with both, and what is allowed."""

    def __init__(self, name: str, value: str, allowed: str) -> None:
        shown = value if len(value) <= 100 else value[:99] + "…"
        super().__init__(f"{name}={shown!r}: must be {allowed}")
        self.name = name


@dataclass(frozen=True, slots=True)
class RateLimit:
    """So many requests in so many seconds."""

    requests: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The service's settings. `redis_url` is None where the service runs a store of its own in `data_dir`."""

    host: str
    port: int
    redis_url: str | None = field(repr=False)
    web_concurrency: int
    log_level: str
    game_ttl_seconds: int
    data_dir: Path
    rate_limit: RateLimit | None
    api_keys: tuple[str, ...] = field(repr=False)
    cors_origins: tuple[str, ...]
    durability: str
    trusted_proxies: int
    traces: bool
    max_streams: int

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Self:
        """Read every setting; a variable that is empty counts as unset. Raises `BadSetting`."""
        return cls(
            host=_host(environ),
            port=_whole(environ, "PORT", 8000, minimum=1, maximum=65_535),
            redis_url=_redis_url(environ),
            web_concurrency=_whole(environ, "WEB_CONCURRENCY", usable_cpus(), minimum=1, maximum=256),
            log_level=_one_of(environ, "LOG_LEVEL", LOG_LEVELS, "info"),
            game_ttl_seconds=_whole(environ, "GAME_TTL_SECONDS", DAY, minimum=60, maximum=YEAR),
            data_dir=Path(environ.get("DATA_DIR") or ".data"),
            rate_limit=_rate_limit(environ),
            api_keys=_api_keys(environ),
            cors_origins=_cors_origins(environ),
            durability=_durability(environ),
            trusted_proxies=_whole(environ, "TRUSTED_PROXIES", 0, minimum=0, maximum=10),
            traces=_traces(environ),
            max_streams=_whole(environ, "MAX_STREAMS", 600, minimum=1, maximum=MOST_STREAMS),
        )


def without_password(url: str) -> str:
    """A URL fit to be shown: whatever stands before its host, and its query, may hold a password."""
    without_user = re.sub(r"(\A[^:/]*://|\A).*@", r"\1***@", url, flags=re.DOTALL)
    return re.sub(r"\?.*", "?***", without_user, flags=re.DOTALL)


def usable_cpus() -> int:
    """CPUs that this process may run on, by its affinity and its container's quota."""
    affinity = getattr(os, "sched_getaffinity", None)
    cpus = len(affinity(0)) if affinity else os.cpu_count() or 1
    try:
        quota, period = _CPU_QUOTA.read_text().split()
        cpus = min(cpus, math.ceil(int(quota) / int(period)))
    except (OSError, ValueError):
        pass  # no such file, or "max": no quota
    return min(cpus, 256)


def _host(environ: Mapping[str, str]) -> str:
    value = environ.get("HOST") or "127.0.0.1"
    if not re.fullmatch(r"[0-9A-Za-z._-]+|[0-9A-Fa-f:.]+(%[0-9A-Za-z]+)?", value):
        raise BadSetting("HOST", value, "a host name or an address, such as 127.0.0.1, 0.0.0.0 or ::")
    return value


def _whole(environ: Mapping[str, str], name: str, default: int, *, minimum: int, maximum: int) -> int:
    value = environ.get(name) or str(default)
    if not re.fullmatch(r"[0-9]{1,18}", value) or not minimum <= int(value) <= maximum:
        raise BadSetting(name, value, f"a whole number from {minimum} to {maximum}")
    return int(value)


def _one_of(environ: Mapping[str, str], name: str, values: tuple[str, ...], default: str) -> str:
    """One of `values`, in any case."""
    value = environ.get(name) or default
    if value.lower() not in values:
        raise BadSetting(name, value, f"one of {', '.join(values)}")
    return value.lower()


def _rate_limit(environ: Mapping[str, str]) -> RateLimit | None:
    value = environ.get("RATE_LIMIT") or "off"
    if value == "off":
        return None
    found = re.fullmatch(r"([0-9]{1,7})/(second|minute|hour|day)", value)
    if not found or not 0 < int(found[1]) <= MOST_REQUESTS:
        raise BadSetting(
            "RATE_LIMIT", value, "off, or a number per second, minute, hour or day such as 50/second"
        )
    return RateLimit(int(found[1]), PERIODS[found[2]])


def _api_keys(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Keys between commas; a key that is refused is not shown."""
    given = environ.get("API_KEYS") or ""
    keys = tuple(key.strip() for key in given.split(",") if key.strip())
    if (given and not keys) or any(
        len(key) < SHORTEST_KEY or not re.fullmatch(r"[!-~]+", key) for key in keys
    ):
        raise BadSetting(
            "API_KEYS", "***", f"printable keys of {SHORTEST_KEY} characters or more, with commas between"
        )
    return keys


def _durability(environ: Mapping[str, str]) -> str:
    value = _one_of(environ, "DURABILITY", DURABILITIES, "primary")
    if value == "replica" and not environ.get("REDIS_URL"):
        allowed = "primary unless REDIS_URL names a store: the service's own has no replica"
        raise BadSetting("DURABILITY", value, allowed)
    return value


def _cors_origins(environ: Mapping[str, str]) -> tuple[str, ...]:
    value = environ.get("CORS_ORIGINS") or ""
    origins = tuple(origin.strip() for origin in value.split(",") if origin.strip())
    if any(not re.fullmatch(r"\*|https?://[0-9A-Za-z.-]+(:[0-9]{1,5})?", origin) for origin in origins):
        raise BadSetting(
            "CORS_ORIGINS", value, "origins such as https://example.org with commas between, or *"
        )
    return origins


def _traces(environ: Mapping[str, str]) -> bool:
    """Whether OpenTelemetry's own variables name a collector and do not turn traces off."""
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    off = environ.get("OTEL_SDK_DISABLED", "").lower() == "true"
    wanted = any(environ.get(name) for name in names) and environ.get("OTEL_TRACES_EXPORTER") != "none"
    return wanted and not off


def _redis_url(environ: Mapping[str, str]) -> str | None:
    value = environ.get("REDIS_URL")
    if value and not _names_a_store(value):
        raise BadSetting("REDIS_URL", without_password(value), STORES)
    return value or None


def _names_a_store(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = None if "," in parts.netloc else parts.port  # raises ValueError unless it is a port
    except ValueError:
        return False
    if parts.scheme == "unix":
        return len(parts.path) > 1
    if parts.scheme in ("redis+cluster", "redis+sentinel"):
        return _names_hosts(url, parts.scheme == "redis+sentinel")
    in_range = port is None or port > 0
    database = re.fullmatch(r"/?[0-9]*", parts.path)
    return parts.scheme in ("redis", "rediss") and bool(parts.hostname and in_range and database)


def _names_hosts(url: str, watched: bool) -> bool:
    """Whether the URL names a cluster's hosts and no more, or Sentinels, a name, and perhaps a database."""
    try:
        path = "/".join(parse(url, 1).path)
    except ValueError:
        return False
    return bool(re.fullmatch(r"[A-Za-z0-9._-]+(/[0-9]{1,5})?", path)) if watched else not path
