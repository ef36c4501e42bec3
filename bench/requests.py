"""The service over HTTP, beside bare Flask views, and beside itself."""

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from redis import Redis

from bench import bare
from bench.games import GAMES_AT_ONCE, MOVES_EACH, Stored, as_messages, created, keep, multiply, put_back
from bench.load import Load, load, message, server, store
from bench.row import Row, in_turn
from rules.cards import DECK

OURS, BARE = "service.wsgi:create()", "bench.bare:create()"
PACK = [card.text for card in DECK]
VALIDATE = "/v1/thirteen/validate-play"
SCORE = "/v1/three-thirteen/score-hand"


def rows() -> Iterator[Row]:
    """All rows about requests."""
    with ExitStack() as stack:
        url = stack.enter_context(store())
        ours, _ = stack.enter_context(server(OURS, url))
        plain, _ = stack.enter_context(server(BARE, url))
        redis = stack.enter_context(Redis.from_url(url))
        redis.mset({bare.KEY % number: b"x" * bare.SIZE for number in range(100)})
        yield _beside_bare(
            "validate-play", 0.85, lambda: load(ours, plays()), lambda: load(plain, constants())
        )
        games = created(ours, GAMES_AT_ONCE, MOVES_EACH)
        keep(redis, games)
        moving = _moving(redis, games, ours)
        yield _beside_bare("a move", 0.75, moving, lambda: load(plain, changes()))
        put_back(redis, games)
        looks = [message("GET", game.path, If_None_Match='"1"') for game in games[:100]]
        gets = [message("GET", f"/get/{number}") for number in range(100)]
        yield _beside_bare("a look, not modified", 0.85, lambda: load(ours, looks), lambda: load(plain, gets))
        yield _batch("validations", VALIDATE, plays_asked(), 1000, 25, ours)
        yield _batch("hands scored", SCORE, hands_asked(), 100, 5, ours)
        with server(OURS, url, 2) as (twice, _):
            yield _two_workers(_moving(redis, games, twice), moving)
    yield crowded()


def plays_asked() -> list[dict[str, object]]:
    """Questions whether a play is legal: a single on a single, a pair on a pair, three cards on nothing."""
    rng = random.Random(1)
    singles = [{"cards": rng.sample(PACK, 1), "table": rng.sample(PACK, 1)} for _ in range(400)]
    pairs = [{"cards": _of_rank(rng, 2), "table": _of_rank(rng, 2)} for _ in range(400)]
    mixed = singles + pairs + [{"cards": rng.sample(PACK, 3)} for _ in range(200)]
    rng.shuffle(mixed)
    return mixed


def _of_rank(rng: random.Random, count: int) -> list[str]:
    rank = rng.choice(PACK)[0]
    return [rank + suit for suit in rng.sample("SCDH", count)]


def hands_asked() -> list[dict[str, object]]:
    """Hands of the last round from two decks."""
    rng = random.Random(2)
    return [{"hand": rng.sample(PACK * 2, 13), "round": 11} for _ in range(100)]


def plays() -> list[bytes]:
    """The questions about plays, to be sent one by one."""
    return [message("POST", VALIDATE, one) for one in plays_asked()]


def constants() -> list[bytes]:
    """The same bodies for a view that parses them and answers a constant."""
    return [message("POST", "/constant", one) for one in plays_asked()]


def changes() -> list[bytes]:
    """Bodies like a move's for a view that does one GET and one EVALSHA."""
    return [
        message(
            "POST",
            f"/change/{number}",
            {"type": "play", "cards": ["3S", "3C"]},
            Authorization="Bearer " + "x" * 43,
        )
        for number in range(100)
    ]


def _moving(redis: Redis, games: list[Stored], port: int) -> Callable[[], Load]:
    messages = as_messages(games)

    def move() -> Load:
        put_back(redis, games)
        return load(port, messages)

    return move


def _beside_bare(what: str, asked: float, ours: Callable[[], Load], theirs: Callable[[], Load]) -> Row:
    mine, bare_, ratio = in_turn(lambda: ours().per_second, lambda: theirs().per_second)
    return Row(what, f"{mine:,.0f}/s", f"{bare_:,.0f}/s, bare Flask", ratio, asked)


def _batch(what: str, path: str, items: list[dict[str, object]], size: int, asked: float, port: int) -> Row:
    batch = [message("POST", f"{path}/batch", {"items": items[:size]})]
    singles = [message("POST", path, item) for item in items[:size]]
    together, alone, ratio = in_turn(
        lambda: load(port, batch).per_second * size, lambda: load(port, singles).per_second
    )
    return Row(
        f"batch of {size:,} {what}", f"{together:,.0f}/s", f"{alone:,.0f}/s, single requests", ratio, asked
    )


def _two_workers(two: Callable[[], Load], one: Callable[[], Load]) -> Row:
    both, alone, ratio = in_turn(lambda: two().per_second, lambda: one().per_second)
    return Row("moves, 2 workers", f"{both:,.0f}/s", f"{alone:,.0f}/s, 1 worker", ratio, 1.5)


def crowded() -> Row:
    """The latency of moves beside 100,000 stored games, and beside few."""
    with ExitStack() as stack:
        sides = []
        for others in (100_000, 500):
            url = stack.enter_context(store())
            port, _ = stack.enter_context(server(OURS, url))
            redis = stack.enter_context(Redis.from_url(url))
            games = created(port, 400, MOVES_EACH)
            multiply(redis, games[0], others - len(games))
            keep(redis, games)
            sides.append(_moving_alone(redis, games, port))
        full, empty, ratio = in_turn(*sides)
    return Row("a move with 100,000 games", f"{full:.0f} µs", f"{empty:.0f} µs, with 500", ratio, 1.1, False)


def _moving_alone(redis: Redis, games: list[Stored], port: int) -> Callable[[], float]:
    messages = as_messages(games)

    def move() -> float:
        put_back(redis, games)
        return load(port, messages, connections=1).p50

    return move
