"""A table of nasty requests: by name the bytes to be sent, and the statuses that may answer them."""

from tests.faults.hostile_bodies import FINE, PLAY, batches, bodies, framing, places, types
from tests.faults.wire import JSON, post, request

UNKNOWN = "A" * 22

NOWHERE = """
/livez/ /livez;a=b /livez/.. /v1/../livez /%2e%2e/livez /v1/%2e%2e/livez /. /..%2f /livez%00 /%00 /livez%20
/livez%0d%0aSet-Cookie:a=b /livez.json /LIVEZ /v1//rules /v1/rules//thirteen //evil.example/livez /\\livez
/%5clivez /% /%zz /%ff%fe /v1/games/ /v1/games//moves /static/app.py /service/app.py /.git/config /metrics.php
/problems/ /problems/../livez /problems/%2e%2e%2flivez /problems/<script> /problems/internal_error%00
/v1/games/a/b/c http://evil.example/x
"""
"""Addresses that are nowhere, though some look like somewhere."""

LONG = ["/" + "a" * 4000, "/a" * 2000]
NO_GAMES = ["..", "%2e%2e", "a", "%00", "a" * 3000, "%c3%a9", "{}", "}:events", "*", UNKNOWN, "-" * 22]

FINE_QUERIES = ["", "&&&", "x=1", "after=0&after=x", "after[]=x", "%61fter=0", "=&=", "limit=1000"]
WRONG_QUERIES = """
after= after=-1 after=1e3 after=0x1 after=1.0 after=%D9%A3 after=%00 after=+1 after=0;limit=0
after=9007199254740992 limit=0 limit=1001 limit=% limit=%ff
"""


def table(path, token, other):
    """The whole table. `path` is a game's, `token` one of its seats', `other` another game's."""
    rows = {}
    for group in (bodies, places, batches, framing, types, headers, paths, queries, methods):
        for name, row in group(path, token, other).items():
            rows[f"{group.__name__}: {name}"] = row
    return rows


def headers(path, token, other):
    """Header fields that are odd, many, long, or there twice."""
    bearer = f"Authorization: Bearer {token}"
    move = b'{"type": "pass"}'

    def look(*lines):
        return request("GET", path, *lines)

    def moved(*lines):
        return request("POST", f"{path}/moves", JSON, bearer, *lines, body=move)

    return {
        "100 kB": (request("GET", "/livez", "X-A: " + "a" * 100_000), {431}),
        "100 fields": (request("GET", "/livez", *[f"X-{number}: a" for number in range(100)]), {431}),
        "480 kB in 60 fields": (look(*[f"X-{number}: {'a' * 8000}" for number in range(60)]), {200}),
        "line break": (request("GET", "/livez", "X-Request-ID: a\r\nSet-Cookie: b=c"), {200}),
        "line feed": (request("GET", "/livez", "X-Request-ID: a\nSet-Cookie: b=c"), {400}),
        "carriage return": (request("GET", "/livez", "X-Request-ID: a\rb"), {400}),
        "NUL": (request("GET", "/livez", "X-Request-ID: a\0b"), {400}),
        "folded": (request("GET", "/livez", "X-A: a\r\n b"), {400}),
        "no colon": (request("GET", path, f"Authorization Bearer {token}"), {400}),
        "blank before colon": (request("GET", path, f"Authorization : Bearer {token}"), {400}),
        "underscores": (request("GET", "/livez", "SCRIPT_NAME: /livez", "PATH_INFO: /x"), {200}),
        "another scheme": (look("X-Forwarded-Proto: https", "X-Forwarded-Ssl: off"), {400}),
        "another host": (request("GET", "/livez", "Host: evil.example@x:y/z?"), {200, 400}),
        "another method": (request("GET", path, bearer, "X-HTTP-Method-Override: DELETE"), {200}),
        "cookies": (look("Cookie: " + "a=b;" * 1500), {200}),
        "range": (look("Range: bytes=0-0,1-1,2-2"), {200}),
        "upgrade": (look("Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"), {200}),
        "long request id": (look("X-Request-ID: " + "a" * 8000), {200}),
        "two request ids": (look("X-Request-ID: a", "X-Request-ID: b"), {200}),
        "languages": (look("Accept-Language: " + "a;q=0.1," * 900), {200}),
        "odd languages": (look("Accept-Language: ;;,=,en;q=nan,vi;q=1e400,*;q=-1,\xff;q=\xb2"), {200}),
        "two tokens": (look(bearer, f"Authorization: Bearer {other}"), {400, 401}),
        "the token twice": (look(bearer, bearer), {400, 401}),
        "other scheme": (look("Authorization: Basic " + "a" * 4000), {401}),
        "token without scheme": (look(f"Authorization: {token}"), {401}),
        "no token": (look("Authorization: Bearer"), {401}),
        "odd token": (look("Authorization: Bearer \xff\xfe\xe9 \t"), {401}),
        "quotes": (look("If-None-Match: " + '"' * 8000), {200}),
        "weak tags": (look("If-None-Match: " + "W/" * 4000), {200}),
        "many tags": (look("If-None-Match: " + ",".join('"a"' for _ in range(2000))), {200}),
        "any tag": (look("If-None-Match: *"), {304}),
        "two matches": (moved('If-Match: "7"', 'If-Match: "8"'), {412}),
        "match of nothing": (moved("If-Match: "), {412}),
        "match of quotes": (moved("If-Match: " + '",' * 4000), {412}),
        "two keys": (moved("Idempotency-Key: a", "Idempotency-Key: b", 'If-Match: "7"'), {412}),
        "empty key": (moved("Idempotency-Key: "), {400}),
        "long key": (moved("Idempotency-Key: " + "a" * 8000), {400}),
        "odd key": (moved("Idempotency-Key: \xe9"), {400}),
        "odd API key": (post(PLAY, FINE, JSON, "X-API-Key: \xff\xfe", "X-API-Key: b"), {200}),
        "origin": (post(PLAY, FINE, JSON, "Origin: https://evil.example"), {200}),
    }


def paths(path, token, other):
    """Addresses that are nowhere, or look like somewhere else."""
    rows = {f"{target[:60]}": (request("GET", target), {404}) for target in [*NOWHERE.split(), *LONG]}
    for game in NO_GAMES:
        for rest in ("", "/legal-moves", "/events"):
            sent = request("GET", f"/v1/games/{game}{rest}", f"Authorization: Bearer {token}")
            rows[f"game {game[:30]}{rest}"] = (sent, {404})
    rows |= {
        "leading slashes": (request("GET", "///livez"), {200}),
        "absolute": (request("GET", "http://evil.example/livez"), {200}),
        "broken host": (request("GET", "http://[::1/livez"), {400}),
        "blank": (request("GET", "/live z"), {400}),
        "fragment": (request("GET", "/livez#a"), {200, 400}),
        "10 kB": (request("GET", "/" + "a" * 10_000), {414}),
        "nothing": (request("GET", ""), {400}),
        "asterisk": (request("GET", "*"), {400}),
        "Latin-1": (request("GET", "/\xe9"), {400}),
        "id in another case": (request("GET", f"/v1/games/{path.rsplit('/', 1)[1].swapcase()}"), {404}),
    }
    theirs = f"Authorization: Bearer {other}"
    for method, rest in (("GET", ""), ("GET", "/events"), ("GET", "/legal-moves"), ("DELETE", "")):
        rows[f"{method} {rest} of another game"] = (request(method, path + rest, theirs), {401})
    moved = post(f"{path}/moves", b'{"type": "pass"}', JSON, theirs)
    return rows | {"move in another game": (moved, {401})}


def queries(path, token, _):
    """Query strings for the one operation that reads one, and for others."""
    asked = {200: FINE_QUERIES, 422: [*WRONG_QUERIES.split(), "after=" + "9" * 3000]}
    rows = {
        f"events {text[:40]}": (request("GET", f"{path}/events?{text}"), {status})
        for status, texts in asked.items()
        for text in texts
    }
    rows["many"] = (request("GET", f"{path}/events?{'a&' * 1900}"), {200})
    rows["token in it"] = (request("GET", f"{path}/legal-moves?access_token={token}"), {401})
    rows["of a question"] = (post(f"{PLAY}?cards=3S&rules={{}}", FINE), {200})
    return rows


def methods(path, *_):
    """Methods that are none, or not for this address."""
    wrong = ("PUT", "PATCH", "TRACE", "PROPFIND", "M-SEARCH", "PRI")
    broken = ("get", "G@T", "G" * 100, "", "GET\t", "\xe9")
    rows = {f"{name} {at}": (request(name, at), {405}) for name in wrong for at in ("/livez", PLAY, path)}
    rows |= {f"{name}": (request(name), {400}) for name in broken}
    rows |= {
        "CONNECT": (request("CONNECT", "evil.example:443"), {404}),
        "HEAD": (request("HEAD", path), {200}),
        "OPTIONS": (request("OPTIONS", path), {200}),
        "GET with a body": (request("GET", path, JSON, body=b"[" * 10_000), {200}),
        "DELETE with a body": (request("DELETE", path, JSON, body=FINE), {401}),
        "HTTP/1.0": (request(version="HTTP/1.0"), {200}),
        "HTTP/0.9": (b"GET /livez\r\n\r\n", {400}),
        "HTTP/2.0": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400}),
        "HTTP/9.9": (request(version="HTTP/9.9"), {400}),
        "no version": (request(version=""), {400}),
        "blank lines": (b"\r\n" * 100, {400}),
        "a greeting": (b"EHLO evil.example\r\nMAIL FROM:<a>\r\n\r\n", {400}),
        "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n" * 100, {400}),
        "PROXY": (b"PROXY TCP4 1.2.3.4 5.6.7.8 9 10\r\n" + request(), {400}),
    }
    return rows
