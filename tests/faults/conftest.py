"""What the fault tests share: how often to try, processes to break, and the table of what was tried.

`FAULTS=full` in the environment tries everything as often as `make faults` does; else it is a quick part.
"""

import os
from contextlib import ExitStack

import pytest

from tests.faults.cluster import Cluster
from tests.faults.proxy import Proxy
from tests.faults.sentinel import Watched
from tests.faults.servers import Service, StoreServer

FULL = os.environ.get("FAULTS") == "full"


@pytest.fixture(scope="session")
def times():
    """`times(quick, full)`: how often to try, which `FAULTS=full` decides."""
    return lambda quick, full: full if FULL else quick


@pytest.fixture
def service(tmp_path):
    """`service(WEB_CONCURRENCY="4", …)`: a service of the test's own with these settings, ready to answer."""
    with ExitStack() as stack:

        def started(**settings):
            folder = tmp_path / f"service{len(list(tmp_path.iterdir()))}"
            return stack.enter_context(Service(folder, **settings))

        yield started


@pytest.fixture
def store(tmp_path):
    """`store(maxmemory="4mb", …)`: a store of the test's own with this configuration, ready to answer."""
    with ExitStack() as stack:

        def started(**config):
            folder = tmp_path / f"store{len(list(tmp_path.iterdir()))}"
            return stack.enter_context(StoreServer(folder, **config))

        yield started


@pytest.fixture(scope="session")
def _cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
def cluster(_cluster):
    """A Redis Cluster, well, whatever the tests before have done to it."""
    _cluster.heal()
    return _cluster


@pytest.fixture(scope="session")
def _watched(tmp_path_factory):
    with Watched(tmp_path_factory.mktemp("sentinel")) as watched:
        yield watched


@pytest.fixture
def watched(_watched):
    """A primary, its replicas and their Sentinels, well, whatever the tests before have done to them."""
    _watched.heal()
    return _watched


@pytest.fixture(params=["cluster", "watched"])
def replicated(request):
    """Each kind of store that has replicas."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def proxy():
    """`proxy(port)`: a proxy of the test's own in front of that port of the loopback."""
    with ExitStack() as stack:
        yield lambda port: stack.enter_context(Proxy(port))


@pytest.fixture
def tried(record_property):
    """`tried(row, how_often, lost, note="")` enters what was tried, and what was lost, in the table.

    What several calls and tests enter in the same row is added up. To be called in a test's body.
    """

    def enter(row, how_often, lost, note=""):
        record_property("tried", [row, how_often, lost, note])

    return enter


def pytest_terminal_summary(terminalreporter):
    """The table, where anything was entered in it."""
    rows = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                _add_up(rows, report.user_properties)
    if not rows:
        return
    lines = [(row, f"{often:,}", f"{lost:,}", "; ".join(notes)) for row, (often, lost, notes) in rows.items()]
    table = [("what was tried", "how often", "lost", "and"), *sorted(lines)]
    widths = [max(len(line[column]) for line in table) for column in range(3)]
    terminalreporter.section("faults: what was tried, and what was lost")
    for row, often, lost, note in table:
        line = f"{row:{widths[0]}}  {often:>{widths[1]}}  {lost:>{widths[2]}}  {note}"
        terminalreporter.write_line(line.rstrip())


def _add_up(rows, properties):
    for name, value in properties:
        if name == "tried":
            row, how_often, lost, note = value
            often_before, lost_before, notes = rows.get(row, (0, 0, []))
            notes = notes + [note] * (note not in ("", *notes))
            rows[row] = (often_before + how_often, lost_before + lost, notes)
