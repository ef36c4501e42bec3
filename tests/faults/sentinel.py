"""A primary with two replicas, and three Sentinels that watch over it, on loopback."""

import os
from contextlib import ExitStack

from tests.faults.cluster import Node
from tests.faults.servers import eventually

NAME = "games"

CONFIG = {"repl_diskless_sync_delay": "0"}

WATCH = """\
bind 127.0.0.1
port {port}
dir {folder}
sentinel monitor {name} 127.0.0.1 {primary} 2
sentinel down-after-milliseconds {name} 1500
sentinel failover-timeout {name} 5000
"""


class Watcher(Node):
    """A Sentinel."""

    def __init__(self, folder, primary):
        super().__init__(folder)
        self._primary = primary

    def start(self):
        """Starts it, once more if need be, with what it knew."""
        conf = self.folder / "sentinel.conf"
        if not conf.exists():
            given = {"port": self.port, "folder": self.folder, "name": NAME, "primary": self._primary}
            conf.write_text(WATCH.format(**given))
        self.launch([self.program, str(conf), "--sentinel"], os.environ)
        eventually(self.answers)

    def sees(self):
        """What it believes of the primary."""
        return self.link.sentinel_master(NAME)


class Watched:
    """As a context it is up: the replicas in step, the Sentinels aware of all of them and of each other."""

    kind = "Sentinel"
    back = 10.0
    """Seconds after which games are played on whose primary has failed."""

    def __init__(self, folder):
        self.nodes = [Node(folder / f"node{number}", **CONFIG) for number in range(3)]
        self.watchers = [Watcher(folder / f"watcher{number}", self.nodes[0].port) for number in range(3)]
        self.servers = [*self.watchers, *self.nodes]
        places = ",".join(f"127.0.0.1:{watcher.port}" for watcher in self.watchers)
        self.url = f"redis+sentinel://{places}/{NAME}"
        self._last = self.nodes[0]
        self._stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            for node in self.nodes:
                stack.enter_context(node)
            eventually(lambda: self._replicate(self._last))
            for watcher in self.watchers:
                stack.enter_context(watcher)
            eventually(self.well)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _replicate(self, primary):
        for node in self.nodes:
            node.come_back()
            node.mend()
            seen = node.replication()
            if node is not primary and seen.get("master_port") != primary.port:
                node.link.replicaof("127.0.0.1", primary.port)
        return primary.replication()["connected_slaves"] == 2

    def primaries(self):
        """The node that takes writes, as all the Sentinels agree, if they do."""
        ports = {watcher.sees()["port"] for watcher in self.watchers}
        return [node for node in self.nodes if node.runs and {node.port} == ports and node.leads()]

    def shard_of(self, _game_id):
        """The primary and its replicas; every game is there."""
        (primary,) = self.primaries()
        return [primary, *(node for node in self.nodes if node is not primary)]

    def well(self):
        """Whether both replicas are in step with the primary, and every Sentinel knows it all."""
        replicas = [it for it in map(Node.replication, self.nodes) if it["role"] == "slave"]
        views = [watcher.sees() for watcher in self.watchers]
        return (
            len(self.primaries()) == 1
            and len(replicas) == 2
            and all(replica["master_link_status"] == "up" for replica in replicas)
            and all(it["num-other-sentinels"] == 2 and it["num-slaves"] == 2 for it in views)
            and all(it["flags"] == "master" for it in views)
        )

    def heal(self):
        """All run, and everything is well again.

        A primary that has failed comes back only when every Sentinel knows that it is one no more: it takes
        itself for one, and would be believed.
        """
        if not any(node.runs for node in self.nodes):
            eventually(lambda: self._replicate(self._last))
        for watcher in self.watchers:
            watcher.come_back()
        eventually(self._repaired)

    def _repaired(self):
        agreed = self.primaries()
        if agreed:
            self._last = agreed[0]
        return agreed and self._replicate(self._last) and self.well()
