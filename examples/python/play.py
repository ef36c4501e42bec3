"""Plays one whole game of Thirteen and one of Three Thirteen.

The service is the one at the address given as argument, or as API in the environment.
"""

import hashlib
import os
import sys

from strategy import choose
from table import GameState, Move, NewGame, Refused, Table, connect
from thirteens_client import AuthenticatedClient
from thirteens_client.models import (
    DrawMove,
    NewPlayer,
    NewThirteenGame,
    NewThreeThirteenGame,
    PassMove,
    ThirteenState,
)


def play(client: AuthenticatedClient, address: str, game: NewGame) -> None:
    """Plays a game to its end, for all its players."""
    table = Table.open(client, address, game)
    state = table.opening
    print(f"{state.game}: game {state.id}, {len(state.players)} players", flush=True)
    try_out_of_turn(table, state)
    while state.turn is not None:
        state = take_turn(client, table, state.turn)
    print(f"{state.game}: {outcome(state)} after {state.version - 1} moves")
    check_deal(state)


def take_turn(client: AuthenticatedClient, table: Table, seat: int) -> GameState:
    """One move of that seat; the state after it, or after the faster move that came in between."""
    legal = table.legal_moves(seat)
    if not legal.moves:
        return table.look(seat)
    move = choose(client, table.look(seat), legal.moves)
    try:
        return table.move(seat, move, legal.version).state
    except Refused as refused:
        match refused.problem.code:
            case "stale_version" | "not_your_turn" | "wrong_phase" | "game_over":
                return table.look(seat)  # the game has gone on without this move: look where it is now
            case _:
                raise


def try_out_of_turn(table: Table, state: GameState) -> None:
    """What a refusal looks like: somebody moves whose turn it is not. Nothing happens but the answer."""
    if state.turn is None:
        return
    thirteen = isinstance(state, ThirteenState)
    move: Move = PassMove(type_="pass") if thirteen else DrawMove(type_="draw", from_="stock")
    try:
        table.move((state.turn + 1) % len(state.players), move, state.version)
    except Refused as refused:
        if refused.problem.code != "not_your_turn":
            raise
        print(f"{state.game}: refused as it should be, {refused}")


def outcome(state: GameState) -> str:
    """Who has won."""
    winners = [state.winner] if isinstance(state, ThirteenState) else state.winners or []
    return "won by " + " and ".join(state.players[seat].name for seat in winners if seat is not None)


def check_deal(state: GameState) -> None:
    """The seed is public now; it must be the one that the service bound itself to before the first card."""
    if hashlib.sha256(bytes.fromhex(state.seed or "")).hexdigest() != state.commitment:
        sys.exit(f"{state.game}: the seed is not the one that was committed to")
    print(f"{state.game}: the seed is the one that was committed to")


def main() -> None:
    """One game of each."""
    address = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("API", "http://127.0.0.1:8000")
    client = connect(address, os.environ.get("API_KEY", ""))
    an, binh, chi = (NewPlayer(name=name) for name in ("An", "Binh", "Chi"))
    play(client, address, NewThirteenGame(game="thirteen", players=[an, binh, chi]))
    nino, oleg = (NewPlayer(name=name) for name in ("Nino", "Oleg"))
    play(client, address, NewThreeThirteenGame(game="three_thirteen", players=[nino, oleg]))


if __name__ == "__main__":
    main()
