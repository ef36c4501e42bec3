"""Nasty bodies: by name the bytes to be sent, and the statuses that may answer them."""

import json
from itertools import product

from tests.faults.wire import JSON, in_chunks, post, request
from tests.service.contract import operation, operations
from tests.service.test_openapi_mutations import OPERATIONS
from tests.service.test_openapi_requests import FULL

LIMIT = 64 * 1024
PLAY = "/v1/thirteen/validate-play"
FINE = b'{"cards": ["3S"]}'

MALFORMED = {
    "nothing": b"",
    "only blanks": b" " * 100,
    "unfinished": b'{"cards": [',
    "10,000 lists deep": b"[" * 10_000 + b"]" * 10_000,
    "10,000 objects deep": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "NaN": b'{"players": NaN}',
    "Infinity": b'{"players": -Infinity}',
    "1e400": b'{"players": 1e400}',
    "50,000 digits": b'{"players": ' + b"9" * 50_000 + b"}",
    "lone surrogate": b'{"cards": ["\\ud800"]}',
    "surrogates swapped": b'{"cards": ["\\udc00\\ud800"]}',
    "surrogate in UTF-8": b'{"cards": ["\xed\xa0\x80"]}',
    "overlong UTF-8": b'{"cards": ["\xc0\xaf"]}',
    "Latin-1": '{"cards": ["é"]}'.encode("latin-1"),
    "UTF-16": '{"cards": ["3S"]}'.encode("utf-16"),
    "byte order mark": b"\xef\xbb\xbf" + FINE,
    "NUL": b"\0" * 1000,
    "control character": b'{"cards": ["\n"]}',
    "two values": FINE + FINE,
    "comment": b"/* */" + FINE,
    "single quotes": b"{'cards': ['3S']}",
    "trailing comma": b'{"cards": ["3S",]}',
    "leading zeros": b'{"players": 007}',
}
UNFIT = {
    "no object": b"[]",
    "null": b"null",
    "500 lists deep": b'{"cards": ' + b"[" * 500 + b"]" * 500 + b"}",
    "30,000 items": b'{"cards": [' + b",".join([b"0"] * 30_000) + b"]}",
    "6,000 fields": b"{" + b",".join(b'"%04d": 0' % name for name in range(6_000)) + b"}",
    "long name": b'{"' + b"~/" * 30_000 + b'": 0}',
    "odd names": b'{"": 0, "__proto__": 0, "constructor": {}, "\\u0000": 0, "$ref": "#"}',
    "numbers": b'{"players": 1e308, "round": -0.0, "cards": 123456789012345678901234567890}',
}
TOO_LARGE = {
    "64 KiB and a byte": FINE.ljust(LIMIT + 1),
    "50,000 items": b'{"cards": [' + b",".join([b'"3S"'] * 50_000) + b"]}",
    "a megabyte": b" " * 1_000_000 + FINE,
}
BATCH_TOO_LARGE = {"a mebibyte and a byte": FINE.ljust(2**20 + 1), "2 MB": b"[" * 2_000_000}
BATCHES = tuple(one.id for one in operations() if one.path.endswith("/batch"))
NASTY = (
    *(None, True, -1, 2**31, 2**63, 2**64, -(2**63), 1e308, -0.0, 0.1, [], {}, [[]], [{}], {"": ""}, [None]),
    *("", "\0", "\x7f", "3S\n", "3S\0", "\u202e3S", "🂡" * 5_000, "{0.__class__}", "%s%n", "' OR 1=1 --"),
    *("../../etc/passwd", "<script>", "a" * 60_000, "٣", "-1", "1e5", "true", {"a": {"a": {"a": {}}}}),
    *(["3S"] * 12_000, [["3S"] * 14] * 800, ["3S", ["3S", ["3S"]]], [{"name": "\r\n"}]),
)
"""Values for every place; some fit somewhere."""


def _targets(path):
    """By operation that takes a body: where it is sent."""
    ids = [one.id for one in operations() if "requestBody" in one.spec and one.id not in BATCHES]
    return {id_: operation(id_).path.replace("/v1/games/{id}", path) for id_ in ids}


def bodies(path, token, _):
    """Bodies that are nothing, sent to every operation that takes one."""
    kinds = ((MALFORMED, {400}), (UNFIT, {422}), (TOO_LARGE, {413}))
    return {
        f"{name} to {id_}": (post(target, body, JSON, f"Authorization: Bearer {token}"), statuses)
        for (id_, target), (kind, statuses) in product(_targets(path).items(), kinds)
        for name, body in kind.items()
    }


def places(path, token, _):
    """Whole bodies with a nasty value in every place, and with every name given twice."""
    rows = {}
    for id_, target in _targets(path).items():
        for schema in OPERATIONS[id_]:
            body = FULL[schema]
            changed = [json.dumps({**body, name: value}) for name, value in product(body, NASTY)]
            changed += [f'{{"{name}": {{}}, {json.dumps(body)[1:]}' for name in body]
            for number, text in enumerate(changed):
                sent = post(target, text.encode(), JSON, f"Authorization: Bearer {token}")
                rows[f"{number} in {schema}"] = (sent, {200, 201, 409, 413, 422})
    return rows


def batches(*_):
    """Batches that are none, and batches of nasty items, which are told so one by one.

    Each item has its problem: only few are sent at once, for the answer grows with them.
    """
    rows = {}
    kinds = ((MALFORMED, {400}), (UNFIT, {422}), (TOO_LARGE, {422}), (BATCH_TOO_LARGE, {413}))
    for id_ in BATCHES:
        target = operation(id_).path
        for kind, statuses in kinds:
            rows |= {f"{name} to {id_}": (post(target, body), statuses) for name, body in kind.items()}
        for number, value in enumerate(NASTY):
            item, items = (json.dumps({"items": one}).encode() for one in ([value], value))
            rows[f"{number} as an item of {id_}"] = (post(target, item), {200})
            if not isinstance(value, list) or not 50 < len(value) <= 1000:
                rows[f"{number} as the items of {id_}"] = (post(target, items), {200, 422})
    return rows


def framing(*_):
    """Bodies whose beginning and end are in doubt."""

    def sent(body, *lines, version="HTTP/1.1"):
        return request("POST", PLAY, JSON, *lines, body=body, version=version)

    chunked = "Transfer-Encoding: chunked"
    fits, more = FINE.ljust(LIMIT), FINE.ljust(LIMIT + 1)
    return {
        "chunks to the limit": (sent(in_chunks(fits, 8000), chunked), {200}),
        "chunks over the limit": (sent(in_chunks(more, 8000), chunked), {413}),
        "one chunk over the limit": (sent(in_chunks(more, LIMIT + 1), chunked), {413}),
        "a megabyte in chunks": (sent(in_chunks(b" " * 1_000_000, 1000), chunked), {413}),
        "64 KiB byte by byte": (sent(in_chunks(fits, 1), chunked), {400}),
        "unread chunks": (request("GET", "/livez", chunked, body=in_chunks(b"x" * 100_000, 1)), {200}),
        "no chunk size": (sent(b"xyz\r\n", chunked), {400}),
        "negative chunk": (sent(b"-1\r\n{}\r\n0\r\n\r\n", chunked), {400}),
        "chunk too short": (sent(b"5\r\n{}\r\n0\r\n\r\n", chunked), {400}),
        "endless chunk": (sent(b"f" * 20_000, chunked), {400}),
        "long chunk extension": (sent(b"2;" + b"a" * 20_000 + b"\r\n{}\r\n0\r\n\r\n", chunked), {400}),
        "trailer": (sent(b"11\r\n" + FINE + b"\r\n0\r\nAuthorization: x\r\n\r\n", chunked), {400}),
        "length and chunks": (sent(in_chunks(FINE, 4), chunked, "Content-Length: 3"), {400}),
        "two lengths": (sent(FINE, "Content-Length: 17", "Content-Length: 3"), {400}),
        "a list of lengths": (sent(FINE, "Content-Length: 17, 17"), {400}),
        "chunked twice": (sent(in_chunks(FINE, 4), "Transfer-Encoding: chunked, chunked"), {400}),
        "coding unknown": (sent(FINE, "Transfer-Encoding: cow"), {400}),
        "coding without end": (sent(FINE, "Transfer-Encoding: gzip"), {400}),
        "coding identity": (sent(FINE, "Transfer-Encoding: identity"), {400}),
        "chunks in HTTP/1.0": (sent(in_chunks(FINE, 4), chunked, version="HTTP/1.0"), {400}),
        "length negative": (sent(b"", "Content-Length: -1"), {400}),
        "length with a sign": (sent(FINE, "Content-Length: +17"), {400}),
        "length in hex": (sent(FINE, "Content-Length: 0x11"), {400}),
        "length huge": (sent(b"", f"Content-Length: {'9' * 100}"), {413}),
        "length superscript": (sent(b"", "Content-Length: ²"), {400}),
        "no length": (sent(b""), {400}),
        "expectation": (sent(FINE, "Expect: 100-continue", "Content-Length: 17"), {200}),
        "expectation unknown": (sent(FINE, "Expect: the-best", "Content-Length: 17"), {400}),
        "expectation in HTTP/1.0": (sent(FINE, "Expect: 100-continue", version="HTTP/1.0"), {200}),
    }


def types(*_):
    """Bodies called something else."""
    wrong = (
        *("text/plain", "application/xml", "multipart/form-data", "application/x-www-form-urlencoded"),
        *("application/jsonp", "json", "", "*/*", "application/json\x7f", "application/json, text/plain"),
    )
    right = ("application/json", "APPLICATION/JSON", "application/json; charset=utf-16", "application/x+json")
    rows = {f"{kind!r}": (post(PLAY, FINE, f"Content-Type: {kind}"), {400, 415}) for kind in wrong}
    rows |= {f"{kind!r}": (post(PLAY, FINE, f"Content-Type: {kind}"), {200}) for kind in right}
    rows["none"] = (request("POST", PLAY, body=FINE), {415})
    rows["two"] = (post(PLAY, FINE, JSON, "Content-Type: text/plain"), {400})
    rows["encoded"] = (post(PLAY, FINE, JSON, "Content-Encoding: gzip"), {200})
    return rows
