"""A client for any kind of Redis there is: one server, a cluster, or a primary that Sentinels watch.

Which server a command goes to, and where to after a failover, is redis-py's business alone. Ours is that
it answers in time or says that it can't, that no change is made twice, and that a cluster may come later.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Self, cast

from flask import g, has_app_context
from gevent import Timeout
from redis import Redis
from redis.backoff import NoBackoff
from redis.client import PubSub
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    ConnectionError,
    NoScriptError,
    RedisClusterException,
    TimeoutError,
)
from redis.retry import Retry
from redis.sentinel import Sentinel

from service.address import parse

PATIENCE_SECONDS = 1.25
"""The longest that one request waits for the store, all its questions together."""

ANSWER_SECONDS = 0.8
"""The longest wait for one answer of one server."""

CONNECT_SECONDS = 0.4
REPLICA_MILLISECONDS = 500
MOST_CONNECTIONS = 512
MOVING_SECONDS = 0.02
"""Between two looks at a slot that is being moved to another node."""

Client = Redis
"""What all kinds are to the rest of the service; a cluster has the same commands."""

ONCE = Retry(NoBackoff(), 0)
"""redis-py's default would run a script again whose reply was lost."""


def connect(url: str) -> Client:
    """A client for `url`, which need not be there yet. It never repeats a write."""
    scheme = url.partition("://")[0]
    return _KINDS.get(scheme, _single)(url)


class Answering:
    """A context: what is asked inside is answered within so many seconds, or raises a `RedisError`.

    It has to be within the patience of the request as well, of which earlier questions may have used some;
    outside of a request each question has all of it. redis-py bounds the wait for an answer, but neither
    how many nodes it asks for a cluster's topology, nor the wait for the one that is asking.

    A class, and not a generator, for each request has some of these.
    """

    __slots__ = ("_limit", "_request", "_started", "_waited")

    def __init__(self, seconds: float = PATIENCE_SECONDS) -> None:
        self._request: Any = g._get_current_object() if has_app_context() else None
        self._waited: float = self._request.get("waited", 0.0) if self._request else 0.0
        self._limit = Timeout(max(0.0, min(seconds, PATIENCE_SECONDS - self._waited)))

    def __enter__(self) -> Self:
        """Begins the wait."""
        self._started = time.monotonic()
        self._limit.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Ends it, and says in `RedisError`s what went wrong."""
        self._limit.close()
        if self._request:
            self._request.waited = self._waited + self.seconds
        if error is None:
            return
        if error is self._limit:
            raise TimeoutError("no answer in time") from error
        if isinstance(error, RedisClusterException | AttributeError | LookupError):
            # What redis-py raises, besides its own errors, where a cluster is down or has nodes new to it.
            raise ConnectionError(f"{type(error).__name__}: {error}") from error

    @property
    def seconds(self) -> float:
        """Since the wait began."""
        return time.monotonic() - self._started


class Script:
    """A Lua script of this package; a server that does not know it gets it with the call.

    redis-py's own would load it into all primaries of a cluster first, of which some may be down.
    """

    def __init__(self, client: Client, file: str) -> None:
        self._client = client
        self._text = files("service").joinpath(file).read_text()
        self._sha = hashlib.sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], args: Sequence[bytes | str | int]) -> Any:
        """What the script answers; the keys are all in one slot."""
        words = (*keys, *args)
        try:
            return self._client.evalsha(self._sha, len(keys), *words)
        except NoScriptError:
            return self._client.eval(self._text, len(keys), *words)


def _limits() -> dict[str, Any]:
    return {
        "socket_connect_timeout": CONNECT_SECONDS,
        "socket_timeout": ANSWER_SECONDS,
        "max_connections": MOST_CONNECTIONS,
    }


def _single(url: str) -> Client:
    return Redis.from_url(url, retry=ONCE, **_limits())


def _sentinel(url: str) -> Client:
    address = parse(url, 26379)
    service, database = (*address.path, "0")[:2]
    watchers = Sentinel(address.hosts, sentinel_kwargs={"retry": ONCE, **_limits()})
    access = {"username": address.username, "password": address.password, "db": int(database)}
    return cast(Client, watchers.master_for(service, retry=ONCE, **access, **_limits()))


class Cluster:
    """A `RedisCluster` that is made when it is first needed: redis-py asks the nodes when it makes one."""

    def __init__(self, url: str) -> None:
        self._address = parse(url, 6379)
        self._lock = threading.Lock()
        self._made: RedisCluster | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.client(), name)

    def client(self) -> RedisCluster:
        """The client, made now if need be; raises what redis-py raises when no node answers."""
        return self._made or self._make()

    def _make(self) -> RedisCluster:
        """It goes on asking the nodes that were given, for their addresses may change, and those found."""
        with self._lock:
            if self._made is None:
                made = RedisCluster(
                    startup_nodes=[ClusterNode(host, port) for host, port in self._address.hosts],
                    dynamic_startup_nodes=False,
                    retry=Retry(NoBackoff(), 2),  # it only reads yet, and may meet a node that is down
                    username=self._address.username,
                    password=self._address.password,
                    **_limits(),
                )
                made.set_retry(ONCE)
                made.nodes_manager.startup_nodes.update({node.name: node for node in made.get_nodes()})
                self._made = made
            return self._made


def _cluster(url: str) -> Client:
    return cast(Client, Cluster(url))


_KINDS: dict[str, Callable[[str], Client]] = {
    "redis+cluster": _cluster,
    "redis+sentinel": _sentinel,
}


def subscriber(client: Any, channel: str) -> PubSub:
    """What can subscribe to channels; in a cluster at the primary that a key of this name would be on.

    Any node would do: they all pass on what is published at one of them. So another name is another chance.
    """
    return cast(PubSub, _primary(client, channel).pubsub())


def wait_for_replica(client: Any, key: str, ttl: int, proof: Sequence[str]) -> Any:
    """What the command `proof` reads on the key's primary, once a replica has all that was written there.

    WAIT asks for the writes of its own connection, so one more goes with it (the key's time to live): what
    was written to this primary before is replicated before. Whether it still is the primary that was
    written to, the caller sees by the proof. Raises `TimeoutError` where no replica has it in time.
    """
    while True:
        try:
            primary = _primary(client, key)
            there, seen, role, having = _wait(primary, key, ttl, 1, proof, ["ROLE"])
            if not there or having < 1:
                raise TimeoutError("no replica has the change")
            if having < (all_ := len(role[2])):  # any may be promoted; but one that hangs holds up nobody
                _wait(primary, key, ttl, all_)
            return seen
        except AskError:  # or `MovedError`: the slot is being moved, or was; redis-py finds out whereto
            client.expire(key, ttl)
            time.sleep(MOVING_SECONDS)


def _primary(client: Any, key: str) -> Redis:
    if not isinstance(client, Cluster):
        return cast(Redis, client)
    cluster = client.client()
    return cluster.get_redis_connection(cluster.get_node_from_key(key))


def _wait(primary: Redis, key: str, ttl: int, replicas: int, *questions: Sequence[str]) -> list[Any]:
    """Whether the key is there, the answers to the questions, how many replicas have what was written."""
    pipe = primary.pipeline(transaction=False)
    pipe.expire(key, ttl)
    for words in questions:
        pipe.execute_command(*words)
    pipe.execute_command("WAIT", replicas, REPLICA_MILLISECONDS)
    return pipe.execute()
