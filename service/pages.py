"""Pages for people: the API to read and to try, and what each problem means, in the reader's language."""

import gzip
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from service.errors import STATUS, Code, Errors, group_of
from service.messages import Messages, wants_page

JSON = Any

_CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:"
TO_READ = f"{_CLOSED}; style-src 'self'"
TO_TRY = f"{_CLOSED}; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'"
"""The Content-Security-Policy of /docs: Scalar writes styles into the page; scripts are files from here."""


class Asset:
    """A file that pages load."""

    def __init__(self, file: Traversable, mimetype: str) -> None:
        self.data = file.read_bytes()
        self.mimetype = mimetype
        self.version = _digest(self.data)

    @cached_property
    def compressed(self) -> bytes:
        """By gzip at its fastest: the worker does nothing else meanwhile."""
        return gzip.compress(self.data, 1, mtime=0)


def _assets() -> Mapping[str, Asset]:
    """By name: ours, and Scalar, whose package is read and never run (docs/adr/0003)."""
    ours = files("service").joinpath("assets")
    scalar = files("flask_openapi_scalar").joinpath("templates", "scalar", "js", "scalar.standalone.js")
    return {
        "docs.js": Asset(ours.joinpath("docs.js"), "text/javascript"),
        "page.css": Asset(ours.joinpath("page.css"), "text/css"),
        "scalar.js": Asset(scalar, "text/javascript"),
    }


class Pages:
    """`/docs`, `/problems` and below, and the files that they load."""

    def __init__(self, messages: Messages, errors: Errors) -> None:
        self._messages = messages
        self._errors = errors
        self._assets = _assets()

    def routes(self) -> Blueprint:
        """The blueprint of these pages."""
        routes = Blueprint("pages", __name__)
        routes.get("/docs")(self.docs)
        routes.get("/assets/<name>")(self.asset)
        routes.get("/problems")(self.problems)
        routes.get("/problems/<code>")(self.problem)
        return routes

    def docs(self) -> Response:
        """openapi.yaml to read, and every operation to try."""
        answer = self._page("docs.html", TO_TRY)
        return _tagged(answer, _digest(answer.get_data()), "no-cache")

    def asset(self, name: str) -> Response:
        """A file that a page loads; an address with its version (`v`) always has this very file."""
        asset = self._assets.get(name)
        if asset is None:
            return self._errors.problem(Code.NOT_FOUND)
        small = request.accept_encodings.quality("gzip") > 0
        answer = Response(asset.compressed if small else asset.data, mimetype=asset.mimetype)
        if small:
            answer.headers["Content-Encoding"] = "gzip"
        answer.vary.add("Accept-Encoding")
        versioned = request.args.get("v") == asset.version
        kept = "public, max-age=31536000, immutable" if versioned else "no-cache"
        return _tagged(answer, f"{asset.version}-gzip" if small else asset.version, kept)

    def problems(self) -> Response:
        """Every problem that there is."""
        found = [self._errors.describe(code, {}) for code in STATUS]
        if wants_page():
            return self._localized(self._page("problems.html", TO_READ, problems=found))
        shown = [{name: value for name, value in one.items() if name != "detail"} for one in found]
        return _negotiated(jsonify(problems=shown))

    def problem(self, code: str) -> Response:
        """What a problem means and what to do about it; the `type` of every problem leads here."""
        if code not in STATUS:
            return self._errors.problem(Code.NOT_FOUND)
        described = self._errors.describe(code, {}) | {"detail": self._messages.outline(group_of(code), code)}
        explanation = self._messages.say("explanations", code, {})
        if wants_page():
            page = self._page("problem.html", TO_READ, explanation=explanation, **described)
            return self._localized(page)
        told = {name: described[name] for name in ("code", "status", "title")}
        return _negotiated(jsonify(**told, explanation=explanation))

    def _page(self, template: str, policy: str, **values: JSON) -> Response:
        """The page, which may do what the policy says; `asset` gives its template the addresses of files."""
        language = self._messages.language()
        words = self._messages.section("page")
        text = render_template(template, language=language, words=words, asset=self._address, **values)
        return Response(text, mimetype="text/html", headers={"Content-Security-Policy": policy})

    def _address(self, name: str) -> str:
        return f"/assets/{name}?v={self._assets[name].version}"

    def _localized(self, page: Response) -> Response:
        page.headers["Content-Language"] = self._messages.language()
        return _negotiated(page)


def _negotiated(answer: Response) -> Response:
    answer.vary.add("Accept")
    return answer


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _tagged(answer: Response, tag: str, kept: str) -> Response:
    """The answer, or only that it has not changed, for who has it already."""
    if request.if_none_match.contains_weak(tag):
        answer.status_code = 304
        answer.set_data(b"")
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = kept
    return answer
