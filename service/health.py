"""What operators and newcomers ask first: what this is, whether it lives, what it speaks."""

from importlib.resources import files

from flask import Blueprint, Response, jsonify

from service import __version__, metrics
from service.messages import wants_page
from service.store import Store

JSONAnswer = dict[str, object]

LINKS = {
    "docs": "/docs",
    "openapi": "/openapi.yaml",
    "problems": "/problems",
    "rules": "/v1/rules",
    "livez": "/livez",
    "readyz": "/readyz",
}


class Health:
    """Liveness asks nothing of anyone; readiness asks the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._openapi = files("service").joinpath("openapi.yaml").read_bytes()

    def routes(self) -> Blueprint:
        """The blueprint of these endpoints."""
        routes = Blueprint("health", __name__)
        routes.get("/")(self.index)
        routes.get("/livez")(self.livez)
        routes.get("/readyz")(self.readyz)
        routes.get("/metrics")(self.metrics)
        routes.get("/openapi.yaml")(self.openapi)
        return routes

    def index(self) -> Response:
        """Name, version and where to go on; a browser goes on to the pages of the API."""
        if wants_page():
            answer = Response(status=303, headers={"Location": LINKS["docs"]})
        else:
            answer = jsonify(name="thirteens", version=__version__, links=LINKS)
        answer.vary.add("Accept")
        return answer

    def livez(self) -> JSONAnswer:
        """Answers as long as the process can."""
        return {"status": "ok"}

    def readyz(self) -> JSONAnswer:
        """Answers `ok` where games can be made and moved in; raises `StoreUnavailable`."""
        self._store.check()
        return {"status": "ok"}

    def metrics(self) -> Response:
        """The numbers of all workers, for Prometheus."""
        return Response(metrics.exposition(), content_type=metrics.CONTENT_TYPE)

    def openapi(self) -> Response:
        """The contract, as served by this version (RFC 9512 media type)."""
        return Response(self._openapi, mimetype="application/yaml")
