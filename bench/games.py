"""Games to be measured with: stored at a service, their moves worked out beforehand by the rules."""

import random
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import product
from typing import Any

import orjson
from redis import Redis

from bench.load import message
from rules import GAMES

PLAYERS = [{"name": f"Player {seat}"} for seat in range(4)]
GAMES_AT_ONCE, MOVES_EACH = 1000, 12
KEPT = "kept:"
"""Before the name of a key: what it was at first."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A game at a service: its path, the tokens of its seats, and moves for it from the start on."""

    path: str
    tokens: list[str]
    moves: list[tuple[int, dict[str, Any]]]

    @property
    def keys(self) -> tuple[str, str]:
        """Its hash and its stream."""
        tag = f"g:{{{self.path.rsplit('/', 1)[1]}}}"
        return f"{tag}:state", f"{tag}:events"


def created(port: int, count: int, moves: int = 0) -> list[Stored]:
    """So many games of Thirteen, each with that many moves."""
    games: list[Stored] = []
    rng = random.Random(count)
    link = HTTPConnection("127.0.0.1", port)
    while len(games) < count:
        seed = rng.randbytes(32)
        body = orjson.dumps({"game": "thirteen", "players": PLAYERS, "seed": seed.hex()})
        link.request("POST", "/v1/games", body, {"Content-Type": "application/json"})
        made = orjson.loads(link.getresponse().read())
        played = _played(rng, seed, moves)
        if len(played) == moves:
            tokens = [seat["token"] for seat in made["seats"]]
            games.append(Stored(f"/v1/games/{made['id']}", tokens, played))
    link.close()
    return games


def _played(rng: random.Random, seed: bytes, moves: int) -> list[tuple[int, dict[str, Any]]]:
    """The seat and the body of random legal moves, fewer where the game is over before."""
    game: Any = GAMES["thirteen"]
    state = game.new_game(len(PLAYERS), seed, game.OPTIONS()).state
    played = []
    while len(played) < moves and not game.finished(state):
        action = rng.choice(game.legal_actions(state, state.turn))
        played.append((state.turn, game.dump_action(action)))
        state = game.apply(state, action).state
    return played


def as_messages(games: list[Stored]) -> list[bytes]:
    """All moves, the first of each game, then the second of each: none before the one it follows."""
    return [
        message(
            "POST", f"{game.path}/moves", game.moves[number][1], Authorization=f"Bearer {game.tokens[seat]}"
        )
        for number, game in product(range(len(games[0].moves)), games)
        for seat in [game.moves[number][0]]
    ]


def keep(redis: Redis, games: list[Stored]) -> None:
    """Remembers how the games are now."""
    for key in (key for game in games for key in game.keys):
        redis.copy(key, KEPT + key, replace=True)


def put_back(redis: Redis, games: list[Stored]) -> None:
    """Sets the games back to where they were when they were kept."""
    pipe = redis.pipeline(transaction=False)
    for key in (key for game in games for key in game.keys):
        pipe.copy(KEPT + key, key, replace=True)
    pipe.execute()


def multiply(redis: Redis, game: Stored, count: int) -> None:
    """Stores so many copies of a game, under other ids."""
    pipe = redis.pipeline(transaction=False)
    for number in range(count):
        for key in game.keys:
            pipe.copy(key, f"{number}{key}")
    pipe.execute()
