"""A game at the service, and how to talk about it: what to send again, and what to give up on."""

import time
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import NamedTuple, TypeVar
from uuid import uuid4

import httpx
from thirteens_client import AuthenticatedClient
from thirteens_client.api.games import create_game, get_game, list_legal_moves, make_move
from thirteens_client.models import (
    CreatedGame,
    DiscardMove,
    DrawMove,
    GoOutMove,
    LegalMoves,
    MoveResult,
    NewThirteenGame,
    NewThreeThirteenGame,
    PassMove,
    PlayMove,
    Problem,
    ThirteenState,
    ThreeThirteenState,
)
from thirteens_client.types import UNSET, Response

Body = TypeVar("Body")
GameState = ThirteenState | ThreeThirteenState
Move = PlayMove | PassMove | DrawMove | DiscardMove | GoOutMove
NewGame = NewThirteenGame | NewThreeThirteenGame

TRIES = 10
"""How often one request is sent before its problem is believed."""


class Refused(Exception):
    """What the service does not do. Programs switch on `problem.code`; people read `problem.detail`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem


class Unreachable(Exception):
    """There is no answer from the service, or none that openapi.yaml knows."""


def connect(address: str, api_key: str) -> AuthenticatedClient:
    """A client for questions and new games; the key is for services that ask for one."""
    return AuthenticatedClient(base_url=address, token=api_key, prefix="", auth_header_name="X-API-Key")


def answered(send: Callable[[], Response[Body | Problem]]) -> Body:
    """The body of an answer; raises `Refused` or `Unreachable`.

    While the service can't answer (503), has had enough (429), or can't be reached, the same request is sent
    again after the pause that it asks for.
    """
    for tries in range(1, TRIES + 1):
        told, seconds = "no answer", 1.0
        try:
            response = send()
        except httpx.TransportError:
            pass
        else:
            if not isinstance(response.parsed, Problem):
                if response.parsed is None:
                    raise Unreachable(f"an answer of status {response.status_code} that is not described")
                return response.parsed
            if tries == TRIES or response.status_code not in (429, 503):
                raise Refused(response.parsed)
            told, seconds = response.parsed.code, float(response.headers.get("Retry-After", 1))
        print(f"{told}: again in {seconds:g} s", flush=True)
        time.sleep(seconds)
    raise Unreachable(f"no answer, {TRIES} times")


class Seen(NamedTuple):
    """A seat's last view of a game, and its ETag."""

    etag: str
    state: GameState


class Table:
    """One game with the tokens of all its seats, as a backend keeps it for its players."""

    def __init__(self, address: str, created: CreatedGame) -> None:
        self.id = created.id
        self.opening = created.state
        self.clients = [AuthenticatedClient(base_url=address, token=seat.token) for seat in created.seats]
        self._seen: dict[int, Seen] = {}

    @classmethod
    def open(cls, client: AuthenticatedClient, address: str, body: NewGame) -> "Table":
        """Starts a game. With its `Idempotency-Key` the request may be sent again: there will be one game."""
        key = str(uuid4())
        send = partial(create_game.sync_detailed, client=client, body=body, idempotency_key=key)
        return cls(address, answered(send))

    def look(self, seat: int) -> GameState:
        """The game as that seat sees it. Where it is as it was, the service only says so (304)."""
        known = self._seen.get(seat)

        def send() -> Response[Seen | Problem]:
            etag = known.etag if known else UNSET
            answer = get_game.sync_detailed(self.id, client=self.clients[seat], if_none_match=etag)
            found: Seen | Problem | None = None
            if isinstance(answer.parsed, GameState):
                found = Seen(answer.headers["ETag"], answer.parsed)
            elif isinstance(answer.parsed, Problem):
                found = answer.parsed
            elif answer.status_code == HTTPStatus.NOT_MODIFIED:
                found = known
            return Response(answer.status_code, answer.content, answer.headers, found)

        self._seen[seat] = answered(send)
        return self._seen[seat].state

    def legal_moves(self, seat: int) -> LegalMoves:
        """What the seat may do now."""
        return answered(lambda: list_legal_moves.sync_detailed(self.id, client=self.clients[seat]))

    def move(self, seat: int, move: Move, version: int) -> MoveResult:
        """Makes a move, meant for that version of the game alone (`If-Match`).

        Its `Idempotency-Key` lets it be sent again until there is an answer: it is made once.
        """
        key, etag = str(uuid4()), f'"{version}"'

        def send() -> Response[MoveResult | Problem]:
            return make_move.sync_detailed(
                self.id, client=self.clients[seat], body=move, idempotency_key=key, if_match=etag
            )

        result = answered(send)
        self._seen[seat] = Seen(f'"{result.version}"', result.state)
        return result
