"""A Redis Cluster on loopback, made and broken without any tool: three primaries, three replicas."""

from contextlib import ExitStack, contextmanager

from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.faults.servers import StoreServer, eventually

SLOTS = 16_384
SHARDS = 3
AT_ONCE = 10
"""Slots on the move at a time."""

MOST_KEYS = 10_000
"""More than there are in a slot."""

CONFIG = {
    "cluster_enabled": "yes",
    "cluster_config_file": "nodes.conf",
    "cluster_node_timeout": "1500",
    "repl_diskless_sync_delay": "0",
}


class Node(StoreServer):
    """One of several that work together."""

    def __init__(self, folder, **config):
        super().__init__(folder, **config)
        self.link = self.client(retry=Retry(ConstantBackoff(0.05), 3))  # a Sentinel may cut it

    def __exit__(self, *failure):
        self.link.close()
        super().__exit__(*failure)

    @property
    def runs(self):
        """Whether it is not killed."""
        return self.process.poll() is None

    def come_back(self):
        """It runs, however it was stopped."""
        self.thaw() if self.runs else self.start()

    def cluster(self, *words):
        """What it answers to a CLUSTER command."""
        return self.link.execute_command("CLUSTER", *words)

    def serves(self):
        """Whether it believes that all slots are served."""
        return b"cluster_state:ok" in self.cluster("INFO")

    def each(self, commands):
        """What it answers to these commands, sent together."""
        pipe = self.link.pipeline(transaction=False)
        for words in commands:
            pipe.execute_command(*words)
        return pipe.execute()

    def slots(self):
        """Who serves which slots, as it believes: ((first, last), ports, the primary's first)."""
        rows = self.cluster("SLOTS")
        return sorted(((row[0], row[1]), tuple(place[1] for place in row[2:])) for row in rows)

    def replication(self):
        """What it says of its part in replication."""
        return self.link.info("replication")

    def leads(self):
        """Whether it takes writes."""
        return self.replication()["role"] == "master"

    def cut(self):
        """Its replicas lose it and can't come back; nobody takes it for dead."""
        self.link.execute_command("ACL", "SETUSER", "default", "-psync", "-sync")
        self.link.execute_command("CLIENT", "KILL", "TYPE", "replica")
        eventually(lambda: self.replication()["connected_slaves"] == 0)

    def mend(self):
        """Its replicas may come back."""
        self.link.execute_command("ACL", "SETUSER", "default", "+psync", "+sync")


class Cluster:
    """As a context it is up, every replica in step with its primary."""

    kind = "Redis Cluster"
    back = 5.0
    """Seconds after which games are played on whose primary has failed."""

    def __init__(self, folder):
        self.nodes = [Node(folder / f"node{number}", **CONFIG) for number in range(2 * SHARDS)]
        self.servers = self.nodes
        self.url = "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        self._stack = ExitStack()

    def __enter__(self):
        with ExitStack() as stack:
            for node in self.nodes:
                stack.enter_context(node)
            self._create()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _create(self):
        bounds = [number * SLOTS // SHARDS for number in range(SHARDS + 1)]
        for number, node in enumerate(self.nodes):
            node.cluster("SET-CONFIG-EPOCH", number + 1)
            if number < SHARDS:
                node.cluster("ADDSLOTSRANGE", bounds[number], bounds[number + 1] - 1)
            if number:
                self.nodes[0].cluster("MEET", "127.0.0.1", node.port)
        _know_each_other(self.nodes)
        for primary, replica in zip(self.nodes[:SHARDS], self.nodes[SHARDS:], strict=True):
            replica.cluster("REPLICATE", primary.cluster("MYID"))
        eventually(self.well)

    def well(self):
        """Whether all nodes agree that every slot is served, by a primary with a replica in step."""
        slots = [node.slots() for node in self.nodes]
        replicas = [it for it in map(Node.replication, self.nodes) if it["role"] == "slave"]
        return (
            all(node.serves() for node in self.nodes)
            and all(seen == slots[0] for seen in slots)
            and all(len(ports) == 2 for _, ports in slots[0])
            and len(replicas) == SHARDS
            and all(replica["master_link_status"] == "up" for replica in replicas)
        )

    def heal(self):
        """All nodes run, and everything is well again."""
        for node in self.nodes:
            node.come_back()
            node.mend()
        eventually(self.well)

    def primaries(self):
        """The nodes that take writes."""
        return [node for node in self.nodes if node.runs and node.leads()]

    def slot_of(self, game_id):
        """The slot that the game is in."""
        return self.nodes[0].cluster("KEYSLOT", f"g:{{{game_id}}}:state")

    def shard_of(self, game_id):
        """The primary that has the game, and its replica, while all is well."""
        slot = self.slot_of(game_id)
        ports = next(ports for (first, last), ports in self.nodes[0].slots() if first <= slot <= last)
        return [next(node for node in self.nodes if node.port == port) for port in ports]

    def move_slots(self, source, target, count):
        """Moves so many slots, and the keys in them, as redis-cli does, but some at a time."""
        owned = (range(first, last + 1) for (first, last), ports in source.slots() if ports[0] == source.port)
        slots = [slot for part in owned for slot in part][:count]
        assert len(slots) == count
        for start in range(0, count, AT_ONCE):
            with self.moving(source, target, slots[start : start + AT_ONCE]):
                pass

    @contextmanager
    def moving(self, source, target, slots):
        """In the middle of the slots' move: their keys are at the target, the slots still at the source."""
        from_id, to_id = source.cluster("MYID"), target.cluster("MYID")
        target.each(("CLUSTER", "SETSLOT", slot, "IMPORTING", from_id) for slot in slots)
        source.each(("CLUSTER", "SETSLOT", slot, "MIGRATING", to_id) for slot in slots)
        place = ("127.0.0.1", target.port, "", 0, 5000)
        for keys in source.each(("CLUSTER", "GETKEYSINSLOT", slot, MOST_KEYS) for slot in slots):
            if keys:
                source.link.execute_command("MIGRATE", *place, "KEYS", *keys)
        yield
        for node in (target, source, *(node for node in self.primaries() if node not in (source, target))):
            node.each(("CLUSTER", "SETSLOT", slot, "NODE", to_id) for slot in slots)

    @contextmanager
    def one_more(self, folder):
        """A seventh node, a primary without slots; at the end it has to have none again, and leaves."""
        with Node(folder, **CONFIG) as node:
            node.cluster("SET-CONFIG-EPOCH", len(self.nodes) + 1)
            self.nodes[0].cluster("MEET", "127.0.0.1", node.port)
            _know_each_other([*self.nodes, node])
            eventually(node.serves)
            yield node
            for other in self.nodes:
                other.cluster("FORGET", node.cluster("MYID"))


def _know_each_other(nodes):
    for node in nodes:
        eventually(lambda node=node: node.cluster("NODES").count(b" connected") == len(nodes))
