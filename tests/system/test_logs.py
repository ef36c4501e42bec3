"""What a request leaves: its line in the log, its trace, its spans at an OpenTelemetry collector."""

import json
import re
import socket
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.driver import Table
from tests.faults.servers import Service, eventually

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PARENT = f"00-{TRACE}-{SPAN}-01"
SEED = "0a" * 32


def lines(running, request_id):
    """The log's lines about that request."""
    found = (json.loads(line) for line in running.said().splitlines() if line.startswith("{"))
    return [line for line in found if line.get("request_id") == request_id]


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    with Service(tmp_path_factory.mktemp("service"), LOG_LEVEL="info") as running:
        yield running


@pytest.fixture
def client(running):
    with running.client() as client:
        yield client


def line_of(running, answer):
    """The line of the request that had this answer."""
    request_id = answer.headers["X-Request-ID"]
    found = eventually(lambda: [one for one in lines(running, request_id) if one["event"] == "request"])
    assert len(found) == 1
    return found[0]


def test_a_line_says_which_game_and_version_how_it_ended_and_what_it_took(running, client):
    table = Table(client, "thirteen", 2, seed=SEED)
    seat, move = table.created["state"]["turn"], table.moves(table.created["state"]["turn"])[0]
    refused = table.move(seat, {"type": "pass"})
    stale = table.move(seat, move, **{"If-Match": '"9"'})
    made = table.move(seat, move)
    moves = "/v1/games/<game_id>/moves"
    for answer, route, version, status, code in (
        (table.answer, "/v1/games", 1, 201, None),
        (refused, moves, 1, 409, "must_lead"),
        (stale, moves, 1, 412, "stale_version"),
        (made, moves, 2, 200, None),
        (table.call("get", "/events"), "/v1/games/<game_id>/events", 2, 200, None),
    ):
        line = line_of(running, answer)
        assert line.pop("ms") >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", line.pop("timestamp"))
        assert line.pop("request_id") == answer.headers["X-Request-ID"]
        assert line.pop("method") == answer.request.method
        assert line == {
            "event": "request",
            "level": "info",
            "route": route,
            "game": table.created["id"],
            "version": version,
            "status": status,
            "code": code,
        }


def test_what_is_about_no_game_says_so(running, client):
    line = line_of(running, client.get("/nothing?token=secret"))
    assert (line["route"], line["game"], line["version"], line["code"]) == (None, None, None, "not_found")
    assert "secret" not in running.said()


@pytest.mark.parametrize(
    ("given", "flags"),
    [(PARENT, "01"), (f"{PARENT[:-2]}00", "00"), (f"{PARENT[:-2]}03", "01"), (f"01{PARENT[2:]}-more", "01")],
)
def test_a_trace_goes_on(running, client, given, flags):
    """W3C Trace Context, 3.2 and 4.3: the trace stays, the span is ours, later versions are read as 00."""
    answer = client.get("/v1/rules", headers={"traceparent": given})
    version, trace, span, flagged = answer.headers["traceparent"].split("-")
    assert (version, trace, flagged) == ("00", TRACE, flags)
    assert re.fullmatch("[0-9a-f]{16}", span)
    assert span not in (SPAN, "0" * 16)
    line = line_of(running, answer)
    assert (line["trace_id"], line["span_id"]) == (trace, span)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "x",
        PARENT.upper(),
        f"{PARENT}-more",
        f"ff{PARENT[2:]}",
        f"01{PARENT[2:]}more",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE}-{SPAN}-1",
        f"{PARENT},{PARENT}",
    ],
)
def test_what_is_no_trace_is_left_alone(running, client, given):
    answer = client.get("/v1/rules", headers={"traceparent": given})
    assert answer.status_code == 200
    assert "traceparent" not in answer.headers
    assert "trace_id" not in line_of(running, answer)


class Collector(BaseHTTPRequestHandler):
    """Takes spans as an OpenTelemetry collector does (OTLP over HTTP)."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(body)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.end_headers()

    def log_message(self, *_):
        """Says nothing."""


@contextmanager
def collecting():
    """A collector of the loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        server.bodies = []
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def spans(server):
    """All spans that have come, and what sent them."""
    for body in list(server.bodies):
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            named = {one.key: one.value.string_value for one in resource.resource.attributes}
            for scope in resource.scope_spans:
                yield from ((named["service.name"], span) for span in scope.spans)


def traced(server, trace_id):
    """The spans of one trace, by name."""
    return {span.name: span for _, span in spans(server) if span.trace_id.hex() == trace_id}


def test_requests_and_commands_become_spans_without_a_secret(tmp_path):
    with collecting() as server:
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}"}
        settings |= {"OTEL_BSP_SCHEDULE_DELAY": "100", "WEB_CONCURRENCY": "2", "LOG_LEVEL": "info"}
        with Service(tmp_path / "service", **settings) as running, running.client() as client:
            table = Table(client, "thirteen", 2, names="Canary {}", seed=SEED)
            table.moves(0)
            seat = table.created["state"]["turn"]
            refused = table.move(seat, {"type": "pass"}, traceparent=PARENT)
            got = eventually(lambda: (found := traced(server, TRACE)) and len(found) == 2 and found)
            request, command = got["POST /v1/games/<game_id>/moves"], got["HMGET"]
            assert request.parent_span_id.hex() == SPAN
            assert command.parent_span_id == request.span_id
            assert refused.headers["traceparent"] == f"00-{TRACE}-{request.span_id.hex()}-01"
            assert line_of(running, refused)["span_id"] == request.span_id.hex()
            told = {one.key: one.value for one in request.attributes}
            assert told["http.response.status_code"].int_value == 409
            assert told["error.type"].string_value == "must_lead"
            own = client.get(f"{table.path}/events?access_token={table.host}").headers["traceparent"]
            assert eventually(lambda: traced(server, own.split("-")[1]))
        sent = b"".join(server.bodies)
        secrets = [*table.tokens, table.host, "Canary", SEED, "access_token", table.created["id"]]
        assert [word for word in secrets if word.encode() in sent] == []
        assert {name for name, _ in spans(server)} == {"thirteens"}
        alone = {span.name for _, span in spans(server) if not span.parent_span_id}
        assert alone == {
            "POST /v1/games",
            "GET /v1/games/<game_id>/legal-moves",
            "GET /v1/games/<game_id>/events",
        }


@pytest.mark.parametrize("listening", [False, True])
def test_a_collector_that_does_not_answer_holds_up_nobody(tmp_path, listening):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if listening:
            silent.listen()
        settings = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{silent.getsockname()[1]}"}
        with Service(tmp_path / "service", **settings) as running:
            with running.client() as client:
                assert client.get("/v1/rules").elapsed.total_seconds() < 1
            started = time.monotonic()
            assert running.end() == 0
            assert time.monotonic() - started < 6
