"""How a game of Three Thirteen is written down: states, actions, events and deals as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules.cards import SPELLINGS, Card, join_cards, parse_card, parse_cards
from rules.errors import Fault, InvalidAction, UnknownFormat
from rules.game import JSON, OtherGamesMove
from rules.options import values
from rules.shuffle import commitment
from rules.three_thirteen.arrangement import Meld, describe_arrangement, describe_meld
from rules.three_thirteen.dealing import deal_round, deck_count
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import wild_rank
from rules.three_thirteen.state import (
    NAME,
    Action,
    AnyAction,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    GameOver,
    GameStarted,
    GoOut,
    RoundEnded,
    RoundStarted,
    Scored,
    State,
    StockRefilled,
    WentOut,
)

MOVES: tuple[str, ...] = ("draw", "discard", "go_out")
FORMAT = 1
"""The format that is written; `_READERS` has a reader for each that ever was."""


def dump(state: State) -> dict[str, JSON]:
    """The whole state as JSON; cards that belong together are one string, as in `3STS2H`."""
    return {
        "format": FORMAT,
        "seed": state.seed.hex(),
        "options": values(state.options),
        "round": state.round,
        "dealer": state.dealer,
        "turn": state.turn,
        "phase": state.phase,
        "hands": [join_cards(hand) for hand in state.hands],
        "stock": join_cards(state.stock),
        "discards": join_cards(state.discards),
        "points": [list(rounds) for rounds in state.points],
        "taken": state.taken and state.taken.text,
        "refills": state.refills,
        "went_out": state.went_out,
        "laid": [describe_meld(meld) for meld in state.laid],
        "final_turns": state.final_turns,
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
        round=data["round"],
        dealer=data["dealer"],
        turn=data["turn"],
        phase=data["phase"],
        hands=tuple([parse_cards(hand) for hand in data["hands"]]),
        stock=parse_cards(data["stock"]),
        discards=parse_cards(data["discards"]),
        points=tuple([tuple(rounds) for rounds in data["points"]]),
        taken=data["taken"] and parse_card(data["taken"]),
        refills=data["refills"],
        went_out=data["went_out"],
        laid=tuple([_load_meld(meld) for meld in data["laid"]]),
        final_turns=data["final_turns"],
    )


def _load_meld(data: Mapping[str, JSON]) -> Meld:
    return Meld(data["type"], tuple(map(parse_card, data["cards"])), tuple(data["represents"]))


_READERS: Mapping[int, Callable[[Mapping[str, JSON]], State]] = {1: _load_1}


def load_action(seat: int, body: Mapping[str, JSON]) -> AnyAction:
    """The action that a move's body asks for; cards may be spelled in any way.

    A `type` that is not in `MOVES` is taken for a move of another game. Raises `InvalidAction` where
    a part is missing or can't be read.
    """
    match body.get("type"):
        case "draw":
            return Draw(seat, _load_source(body.get("from")))
        case "discard":
            return Discard(seat, _load_card(body, "card"))
        case "go_out":
            return GoOut(seat, _load_card(body, "discard"), _load_melds(body.get("melds")))
        case str(other):
            return OtherGamesMove(seat, other)
        case other:
            raise _fault(other, Fault.INVALID_TYPE, "type")


def _load_source(text: JSON) -> str:
    if text not in ("stock", "discard"):
        raise _fault(text, Fault.INVALID_VALUE, "from")
    return str(text)


def _load_card(body: Mapping[str, JSON], name: str) -> Card:
    if body.get(name) is None:
        raise InvalidAction(Fault.MISSING_FIELD, (name,))
    return _card(body[name], name)


def _load_melds(lists: JSON) -> tuple[tuple[Card, ...], ...] | None:
    if lists is None:
        return None
    melds = _items(lists, "melds")
    return tuple([_load_meld_cards(meld, place) for place, meld in enumerate(melds)])


def _load_meld_cards(texts: JSON, place: int) -> tuple[Card, ...]:
    items = _items(texts, "melds", place)
    return tuple([_card(text, "melds", place, spot) for spot, text in enumerate(items)])


def _items(value: JSON, *path: str | int) -> list[JSON]:
    if not isinstance(value, list):
        raise InvalidAction(Fault.INVALID_TYPE, path)
    return value


def _card(text: JSON, *path: str | int) -> Card:
    card = SPELLINGS.get(text) if isinstance(text, str) else None
    if card is None:
        raise InvalidAction(Fault.INVALID_CARD, path, value=text)
    return card


def _fault(value: JSON, wrong: Fault, name: str) -> InvalidAction:
    return InvalidAction(Fault.MISSING_FIELD if value is None else wrong, (name,))


def dump_action(action: Action) -> dict[str, JSON]:
    """The body from which `load_action` reads the action; the seat is not in it."""
    match action:
        case Draw(_, source):
            return {"type": "draw", "from": source}
        case Discard(_, card):
            return {"type": "discard", "card": card.text}
        case GoOut(_, discard, None):
            return {"type": "go_out", "discard": discard.text}
        case GoOut(_, discard, melds):
            laid = [_texts(meld) for meld in melds or ()]
            return {"type": "go_out", "discard": discard.text, "melds": laid}


def dump_event(event: Event) -> dict[str, JSON]:
    """The event in full, hidden cards too: `type`, `seat` (None where nobody acts), and what it holds."""
    match event:
        case Drew(seat, source, card):
            return _event("drew", seat, **{"from": source, "card": card.text})
        case Discarded(seat, card):
            return _event("discarded", seat, card=card.text)
        case WentOut(seat, discard, melds):
            laid = [describe_meld(meld) for meld in melds]
            return _event("went_out", seat, discard=discard.text, melds=laid)
        case StockRefilled(stock):
            return _event("stock_refilled", None, stock=stock)
        case GameStarted(players, decks, dealer):
            return _event("game_started", None, players=players, decks=decks, dealer=dealer)
        case RoundStarted():
            return _round_started(event)
        case RoundEnded(round_, scored, totals):
            hands = [_scored(it) for it in scored]
            return _event("round_ended", None, round=round_, hands=hands, totals=list(totals))
        case GameOver(winners, totals):
            return _event("game_over", None, winners=list(winners), totals=list(totals))


def _event(type_: str, seat: int | None, **fields: JSON) -> dict[str, JSON]:
    return {"type": type_, "seat": seat, **fields}


def _round_started(event: RoundStarted) -> dict[str, JSON]:
    return _event(
        "round_started",
        None,
        round=event.round,
        wild_rank=wild_rank(event.round),
        dealer=event.dealer,
        turn=event.turn,
        discard_top=event.discard_top.text,
        stock=event.stock,
        hands=[_texts(hand) for hand in event.hands],
    )


def _scored(scored: Scored) -> dict[str, JSON]:
    arranged = describe_arrangement(scored.arrangement)
    points = arranged.pop("penalty")
    return {"seat": scored.seat, "hand": _texts(scored.hand), **arranged, "points": points}


def deal(players: int, seed: bytes, options: Options, **which: JSON) -> dict[str, JSON]:
    """A deal laid open, hands as dealt, the stock's top first (R3 to R5).

    `round`, 1 to 11, is needed; `dealer` is the last seat unless it is said. Raises `InvalidAction` for a
    number of players or decks that can't be.
    """
    round_, dealer = which["round"], which.get("dealer", players - 1)
    dealt = deal_round(players, seed, options, round_, dealer)
    return {
        "game": NAME,
        "players": players,
        "decks": deck_count(players, options),
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "round": round_,
        "wild_rank": wild_rank(round_),
        "dealer": dealer,
        "first_seat": (dealer + 1) % players,
        "hands": [_texts(hand) for hand in dealt.hands],
        "discard": [dealt.turned_up.text],
        "stock": _texts(dealt.stock),
    }


def _texts(cards: Iterable[Card]) -> list[str]:
    return [card.text for card in cards]
