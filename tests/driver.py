"""Plays stored games over any HTTP client that looks like Flask's or httpx's: the tests' own player."""

import copy
import random

from rules.cards import parse_card
from rules.three_thirteen import OPTIONS
from rules.three_thirteen.melds import discards


class Table:
    """A game at the service, with everybody's tokens."""

    def __init__(self, client, game, players, names="Player {}", **body):
        self.client = client
        seats = [{"name": names.format(seat)} for seat in range(players)]
        answer = client.post("/v1/games", json={"game": game, "players": seats, **body})
        assert answer.status_code == 201, answer.text
        self.created = answer.json if isinstance(answer.json, dict) else answer.json()
        self.path = f"/v1/games/{self.created['id']}"
        self.host = self.created["host_token"]
        self.tokens = [seat["token"] for seat in self.created["seats"]]
        self.answer = answer

    def through(self, client):
        """The same game, for another client."""
        other = copy.copy(self)
        other.client = client
        return other

    def call(self, method, path="", seat=None, token=None, headers=None, **options):
        """The raw answer of a request as `seat`, with `token`, or as a spectator."""
        token = self.tokens[seat] if seat is not None else token
        given = {"Authorization": f"Bearer {token}"} if token else {}
        return getattr(self.client, method)(self.path + path, headers={**given, **(headers or {})}, **options)

    def get(self, path="", seat=None):
        """The body of a GET that must succeed."""
        answer = self.call("get", path, seat)
        assert answer.status_code == 200, answer.text
        return answer.json if isinstance(answer.json, dict) else answer.json()

    def move(self, seat, move, **headers):
        """The raw answer to a move."""
        return self.call("post", "/moves", seat, json=move, headers=headers)

    def moves(self, seat):
        """The bodies of the seat's legal moves."""
        return self.get("/legal-moves", seat)["moves"]

    def play(self, rng, most=100_000):
        """Plays legal moves to the end, `most` of them at most; yields (seat, move, the answer's body)."""
        view = self.created["state"]
        for _ in range(most):
            if view["status"] == "finished":
                return
            seat = view["turn"]
            move = choose(rng, view, self.moves(seat))
            answer = self.move(seat, move)
            assert answer.status_code == 200, (move, answer.text)
            body = answer.json if isinstance(answer.json, dict) else answer.json()
            yield seat, move, body
            view = body["state"]


def choose(rng: random.Random, view, moves):
    """A legal move: passing seldom, going out wherever possible, keeping what melds best, else at random."""
    out = [move for move in moves if move["type"] == "go_out"]
    if out:
        return rng.choice(out)
    if view["game"] == "three_thirteen" and view["phase"] == "discard":
        hand = [parse_card(text) for text in view["you"]["hand"]]
        options = discards(hand, view["round"], OPTIONS.build(view["rules"]))
        best_first = [{"type": "discard", "card": option.discard.text} for option in options]
        return next((move for move in best_first if move in moves), best_first[0])
    plays = [move for move in moves if move["type"] != "pass"]
    return rng.choice(plays if plays and rng.random() < 0.8 else moves)
