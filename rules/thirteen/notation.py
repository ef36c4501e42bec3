"""How a game of Thirteen is written down: states, actions, events and deals as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules.cards import SPELLINGS, Card, join_cards, parse_card, parse_cards
from rules.errors import Fault, InvalidAction, UnknownFormat
from rules.game import JSON, OtherGamesMove
from rules.options import values
from rules.shuffle import commitment
from rules.thirteen.combinations import classify, describe
from rules.thirteen.dealing import HAND_SIZE, deal_hands, first_lead
from rules.thirteen.options import Options
from rules.thirteen.state import (
    NAME,
    Action,
    AnyAction,
    Event,
    GameOver,
    GameStarted,
    InstantWin,
    Pass,
    Passed,
    Play,
    Played,
    PlayerOut,
    State,
    Trick,
    TrickWon,
)

MOVES: tuple[str, ...] = ("play", "pass")
FORMAT = 1
"""The format that is written; `_READERS` has a reader for each that ever was."""


def dump(state: State) -> dict[str, JSON]:
    """The whole state as JSON; cards that belong together are one string, as in `3STS2H`."""
    return {
        "format": FORMAT,
        "seed": state.seed.hex(),
        "options": values(state.options),
        "hands": [join_cards(hand) for hand in state.hands],
        "places": list(state.places),
        "turn": state.turn,
        "must_include": _text(state.must_include),
        "trick": state.trick and _dump_trick(state.trick),
    }


def _dump_trick(trick: Trick) -> dict[str, JSON]:
    return {
        "seat": trick.seat,
        "cards": join_cards(trick.combination.cards),
        "passed": list(trick.passed),
        "declined": list(trick.declined),
    }


def load(data: Mapping[str, JSON]) -> State:
    """The state that `dump` wrote, or an earlier version of it; raises `UnknownFormat` for any other."""
    version = data.get("format")
    reader = _READERS.get(version) if isinstance(version, int) else None
    if reader is None:
        raise UnknownFormat(version)
    return reader(data)


def _load_1(data: Mapping[str, JSON]) -> State:
    return State(
        seed=bytes.fromhex(data["seed"]),
        options=Options.build(data["options"]),
        hands=tuple([parse_cards(hand) for hand in data["hands"]]),
        places=tuple(data["places"]),
        turn=data["turn"],
        must_include=data["must_include"] and parse_card(data["must_include"]),
        trick=data["trick"] and _load_trick(data["trick"]),
    )


def _load_trick(data: Mapping[str, JSON]) -> Trick:
    combination = classify(parse_cards(data["cards"]))
    if combination is None:
        raise ValueError("the cards on the table are no combination")
    return Trick(data["seat"], combination, tuple(data["passed"]), tuple(data["declined"]))


_READERS: Mapping[int, Callable[[Mapping[str, JSON]], State]] = {1: _load_1}


def load_action(seat: int, body: Mapping[str, JSON]) -> AnyAction:
    """The action that a move's body asks for; cards may be spelled in any way.

    A `type` that is not in `MOVES` is taken for a move of another game. Raises `InvalidAction` where
    the cards are none, too many, unreadable or given twice.
    """
    match body.get("type"):
        case "play":
            return Play(seat, _load_cards(body.get("cards")))
        case "pass":
            return Pass(seat)
        case str(other):
            return OtherGamesMove(seat, other)
        case other:
            fault = Fault.MISSING_FIELD if other is None else Fault.INVALID_TYPE
            raise InvalidAction(fault, ("type",))


def _load_cards(texts: JSON) -> tuple[Card, ...]:
    if not isinstance(texts, list):
        raise InvalidAction(Fault.MISSING_FIELD if texts is None else Fault.INVALID_TYPE, ("cards",))
    if not 1 <= len(texts) <= HAND_SIZE:
        raise InvalidAction(Fault.OUT_OF_RANGE, ("cards",), minimum=1, maximum=HAND_SIZE)
    cards: list[Card] = []
    for place, text in enumerate(texts):
        card = SPELLINGS.get(text) if isinstance(text, str) else None
        if card is None:
            raise InvalidAction(Fault.INVALID_CARD, ("cards", place))
        if card in cards:
            raise InvalidAction(Fault.DUPLICATE_CARD, ("cards", place))
        cards.append(card)
    return tuple(cards)


def dump_action(action: Action) -> dict[str, JSON]:
    """The body from which `load_action` reads the action; the seat is not in it."""
    match action:
        case Play():
            return {"type": "play", "cards": _texts(action.cards)}
        case Pass():
            return {"type": "pass"}


def dump_event(event: Event) -> dict[str, JSON]:
    """The event in full, hidden cards too: `type`, `seat` (None where nobody acts), and what it holds."""
    match event:
        case Played(seat, combination, left):
            return _event("played", seat, combination=describe(combination), cards_left=left)
        case Passed(seat):
            return _event("passed", seat)
        case TrickWon(seat, leads):
            return _event("trick_won", seat, leads=leads)
        case PlayerOut(seat, place):
            return _event("player_out", seat, place=place)
        case GameStarted(turn, must_include, hands):
            dealt = {"must_include": _text(must_include), "hands": [_texts(hand) for hand in hands]}
            return _event("game_started", None, players=len(hands), turn=turn, **dealt)
        case InstantWin(seat, kind, hand):
            return _event("instant_win", seat, kind=kind, hand=_texts(hand))
        case GameOver(winner, places):
            return _event("game_over", None, winner=winner, places=list(places))


def _event(type_: str, seat: int | None, **fields: JSON) -> dict[str, JSON]:
    return {"type": type_, "seat": seat, **fields}


def deal(players: int, seed: bytes, options: Options, **which: JSON) -> dict[str, JSON]:
    """A deal laid open: the hands as dealt, the undealt cards, who leads and by which card (T2, T17).

    Where the option `first_lead` is `seat`, seat 0 leads, by no card. Raises `InvalidAction` for a
    number of players that can't play, and where anything else is said about the deal (a round, …).
    """
    for name, value in which.items():
        if value is not None:
            raise InvalidAction(Fault.UNKNOWN_FIELD, (name,))
    hands, undealt = deal_hands(players, seed)
    lead_seat, lead_card = first_lead(hands, options)
    return {
        "game": NAME,
        "players": players,
        "decks": 1,
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "hands": [_texts(hand) for hand in hands],
        "undealt": _texts(undealt),
        "lead_seat": lead_seat,
        "lead_card": _text(lead_card),
    }


def _text(card: Card | None) -> str | None:
    return card.text if card else None


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]
