"""Games as the examples of openapi.yaml show them: begun by a documented request, played up to a point."""

from tests.service.contract import examples, operation

JSON = "application/json"
GAMES = examples(*operation("createGame").keys, "requestBody", "content", JSON)
MOVES = examples(*operation("makeMove").keys, "requestBody", "content", JSON)

LEAD, PASS = (1, MOVES["play"]), (2, MOVES["pass"])
"""Thirteen: seat 1 leads, seat 2 passes, seat 3 is to follow."""

DRAW, OUT = (0, MOVES["draw"]), (0, MOVES["go_out"])
LAST_DRAW, LAST = (1, MOVES["draw"]), (1, MOVES["discard"])
"""Three Thirteen: seat 0 goes out on its first turn, seat 1 has its last one, the round ends."""

VOLATILE = {"id", "token", "host_token", "at", "created_at", "updated_at"}


class Scene:
    """A game at the service, with everybody's tokens."""

    def __init__(self, client, body, moves=()):
        self._client = client
        self.created = client.post("/v1/games", json=body).json
        self.tokens = [seat["token"] for seat in self.created["seats"]]
        for seat, move in moves:
            answer = self.move(seat, move)
            assert answer.status_code == 200, answer.json

    def move(self, seat, move):
        """The answer to a move of that seat."""
        return self.ask("makeMove", self.tokens[seat], json=move)

    def ask(self, operation_id, token=None, headers=None, **options):
        """The answer to an operation on this game, with that token."""
        one = operation(operation_id)
        path = one.path.replace("{id}", self.created["id"])
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return self._client.open(path, method=one.method, headers={**given, **(headers or {})}, **options)


def tamed(value):
    """The value without what differs from one game to the next: ids, tokens and times."""
    if isinstance(value, list):
        return [tamed(one) for one in value]
    if isinstance(value, dict):
        return {key: "…" if key in VOLATILE else tamed(one) for key, one in value.items()}
    return value
