"""Pages for people: who gets one, in which language, what it may load, and how long a cache may keep it."""

import gzip
import os
import re
import subprocess
import sys
from html import unescape

import pytest
from flask import render_template

from service.errors import STATUS

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
PAGES = ("/docs", "/problems", "/problems/too_low", "/problems/internal_error")


def page(client, path, **headers):
    return client.get(path, headers={"Accept": BROWSER, **headers})


def policy(answer):
    """The Content-Security-Policy, by directive."""
    parts = [part.split() for part in answer.headers["Content-Security-Policy"].split(";")]
    return {name: sources for name, *sources in parts}


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (BROWSER, "text/html"),
        ("text/html", "text/html"),
        ("application/json;q=0.5, text/*", "text/html"),
        ("*/*", "application/json"),
        (None, "application/json"),
        ("", "application/json"),
        ("application/json", "application/json"),
        ("application/problem+json", "application/json"),
        ("text/html;q=0.5, application/json", "application/json"),
        ("text/html, application/json", "application/json"),
        ("text/html;q=0", "application/json"),
        ("image/png", "application/json"),
        (";;,,q=,\x00", "application/json"),
    ],
)
@pytest.mark.parametrize("path", ["/problems", "/problems/too_low"])
def test_json_is_what_is_given_unless_a_page_is_rather_wanted(client, path, accept, kind):
    answer = client.get(path, headers={} if accept is None else {"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (200, kind)
    assert answer.headers["Vary"] == "Accept, Accept-Language"


def test_a_browser_is_sent_from_the_front_to_the_docs(client):
    answer = page(client, "/")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/docs")
    assert answer.headers["Vary"] == "Accept"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_no_script_that_is_no_file_from_here_and_asks_no_other_host(client, path):
    answer = page(client, path)
    allowed = policy(answer)
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == ["'none'"]
    assert allowed["frame-ancestors"] == ["'none'"]
    assert allowed.get("script-src") == (["'self'"] if path == "/docs" else None)
    assert allowed.get("connect-src") == (["'self'"] if path == "/docs" else None)
    assert {source for sources in allowed.values() for source in sources} <= {
        *("'none'", "'self'", "data:"),
        *(["'unsafe-inline'"] if path == "/docs" else []),
    }
    assert "unsafe-inline" not in str(allowed.get("script-src"))
    loaded = re.findall(r'(?:src|href)="([^"]+)"', answer.text)
    assert [url for url in loaded if not re.match("/[^/]|data:", url)] == []
    assert re.findall(r"<script(?! defer src=)|<style|\son\w+=|\sstyle=", answer.text) == []


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_loads_is_there_and_kept_for_good(client, path):
    urls = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page(client, path).text)
    assert urls
    for url in urls:
        answer = client.get(url)
        assert answer.status_code == 200
        assert answer.mimetype == ("text/css" if ".css" in url else "text/javascript")
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_file_under_another_version_is_not_kept(client):
    for query in ("", "?v=", "?v=0000000000000000"):
        assert client.get(f"/assets/docs.js{query}").headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", ["nothing.js", "..", "openapi.yaml", "docs.js ", "DOCS.JS"])
def test_no_other_file_is_given(client, name):
    assert client.get(f"/assets/{name}").status_code == 404


@pytest.mark.parametrize("path", ["/docs", "/assets/docs.js", "/assets/page.css", "/assets/scalar.js"])
def test_what_is_known_is_not_sent_again(client, path):
    first = client.get(path)
    for tag in (first.headers["ETag"], f"W/{first.headers['ETag']}", f'"x", {first.headers["ETag"]}', "*"):
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
    assert client.get(path, headers={"If-None-Match": '"x"'}).data == first.data


def test_a_file_is_compressed_for_who_takes_that(client):
    plain = client.get("/assets/scalar.js")
    assert "Content-Encoding" not in plain.headers
    for accept in ("gzip", "br;q=1.0, gzip;q=0.8", "*"):
        small = client.get("/assets/scalar.js", headers={"Accept-Encoding": accept})
        assert small.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.data) == plain.data
        assert len(small.data) < len(plain.data) / 2
        assert small.headers["ETag"] != plain.headers["ETag"]
    for accept in ("", "br", "gzip;q=0", "identity"):
        answer = client.get("/assets/scalar.js", headers={"Accept-Encoding": accept})
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert "Content-Encoding" not in answer.headers


def test_every_problem_is_listed_with_the_address_that_explains_it(client):
    listed = client.get("/problems").json["problems"]
    assert {one["code"]: one["status"] for one in listed} == STATUS
    text = page(client, "/problems").text
    for one in listed:
        explained = client.get(one["type"]).json
        assert {name: explained[name] for name in ("code", "status", "title")} == {
            name: one[name] for name in ("code", "status", "title")
        }
        assert f'href="{one["type"]}"' in text


@pytest.mark.parametrize("language", ["en", "vi", "ka", "ru", "sk", "ky"])
def test_a_page_says_what_the_json_says_in_the_readers_language(client, language):
    headers = {"Accept-Language": language}
    for code in STATUS:
        told = client.get(f"/problems/{code}", headers=headers).json
        shown = page(client, f"/problems/{code}", **headers)
        assert shown.headers["Content-Language"] == language
        assert f'<html lang="{language}">' in shown.text
        text = unescape(shown.text)
        assert f"<h1>{told['title']}</h1>" in text
        assert f"<dd>{told['explanation']}</dd>" in text
        assert f"<code>{code}</code>" in text
        assert f"<dd>{told['status']}</dd>" in text


def test_a_page_names_the_values_that_an_answer_has(client):
    """Those of `params`, in the places where the answer has them."""
    text = page(client, "/problems/too_low").text
    assert "<dd>[high_card] does not beat [table_high_card].</dd>" in text
    assert "<dd>Seat to move: [turn].</dd>" in page(client, "/problems/not_your_turn").text
    assert "wait [retry_after] s" in page(client, "/problems/rate_limited").text


def test_texts_are_escaped(app):
    with app.test_request_context():
        hostile = {"title": "<b>", "detail": "<i>", "explanation": "<u>&", "code": "<b>", "language": '"<b>'}
        text = render_template("problem.html", asset=str, words={}, **hostile)
    assert not re.search("<[biu]>", text)
    assert "&lt;u&gt;&amp;" in text


def test_a_problem_that_there_is_not_is_a_problem(client):
    answer = page(client, "/problems/%3Cscript%3E")
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_scalars_package_is_read_and_never_run():
    program = "import sys, service.wsgi; service.wsgi.create(); print(*sys.modules)"
    environ = os.environ | {"REDIS_URL": "unix:///nowhere.sock"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    assert "service.pages" in done.stdout.split()
    assert not {"pydantic", "flask_openapi"} & set(done.stdout.split())
