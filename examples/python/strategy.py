"""How the example plays: plainly, but never against the rules, for it asks the service what they allow."""

from table import GameState, Move, answered
from thirteens_client import AuthenticatedClient
from thirteens_client.api.three_thirteen import find_best_discard
from thirteens_client.models import (
    BestDiscardRequest,
    DiscardMove,
    DrawMove,
    GoOutMove,
    ThirteenState,
    ThreeThirteenRules,
    ThreeThirteenState,
)


def choose(client: AuthenticatedClient, state: GameState, moves: list[Move]) -> Move:
    """One of the legal moves for the seat whose view this is."""
    if isinstance(state, ThirteenState):
        return moves[0]  # the plays come weakest first, passing comes last
    return _three_thirteen(client, state, moves) or moves[0]


def _three_thirteen(client: AuthenticatedClient, state: ThreeThirteenState, moves: list[Move]) -> Move | None:
    """Goes out if it can; draws a wild card from the pile, else from the stock; discards what costs most."""
    for move in moves:
        if isinstance(move, GoOutMove):
            return move
    if state.phase == "draw":
        wild_on_top = (state.discard_top or "").startswith(state.wild_rank)
        return DrawMove(type_="draw", from_="discard" if wild_on_top else "stock")
    if not state.you:
        return None
    rules = ThreeThirteenRules.from_dict(state.rules.to_dict())
    question = BestDiscardRequest(hand=state.you.hand, round_=state.round_, rules=rules)
    advice = answered(lambda: find_best_discard.sync_detailed(client=client, body=question))
    move = DiscardMove(type_="discard", card=advice.discard)
    return move if move in moves else None
