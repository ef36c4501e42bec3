"""What the stateless questions take."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, validates_schema

from rules import thirteen, three_thirteen
from rules.cards import Card
from rules.errors import Fault
from rules.thirteen.combinations import classify
from service.schemas.body import Body, Plain
from service.schemas.fields import (
    Cards,
    Choice,
    Found,
    Items,
    Melds,
    OneCard,
    Text,
    Whole,
    fault,
    refuse_copies,
    wrong_size,
)
from service.schemas.options import Rules

SEED = r"[0-9a-fA-F]{64}"
"""A seed of the shuffle: 32 bytes in hex."""

HAND = 13
"""Cards of a hand of Thirteen as dealt (T2)."""

ROUNDS = 11
"""Rounds of Three Thirteen (R3); in round r a hand has r + 2 cards, after drawing one more."""

MOST_DECKS = 4
"""Copies of a card that a hand of Three Thirteen may hold where `rules.decks` is not said."""


MOST_ITEMS = 1000
"""Items of a batch at most."""


class Table(Cards):
    """The combination to beat: nothing where it is left out, `null` or empty."""

    def __init__(self) -> None:
        super().__init__(0, HAND, load_default=None)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **options: Any) -> Any:
        cards = super()._deserialize(value, attr, data, **options)
        combination = classify(cards) if cards else None
        if cards and combination is None:
            raise fault(Fault.INVALID_VALUE, value=[card.text for card in cards])
        return combination


class Batch(Plain):
    """A batch of questions; each item is judged by the schema of the single question."""

    items = Items(1, MOST_ITEMS, required=True)


class DealThirteen(Body):
    """POST /v1/deals for Thirteen."""

    game = Choice([thirteen.NAME], required=True)
    players = Whole(thirteen.PLAYERS.start, thirteen.PLAYERS.stop - 1, required=True)
    seed = Text(SEED, load_default="")
    rules = Rules(thirteen)


class DealThreeThirteen(Body):
    """POST /v1/deals for Three Thirteen."""

    game = Choice([three_thirteen.NAME], required=True)
    players = Whole(three_thirteen.PLAYERS.start, three_thirteen.PLAYERS.stop - 1, required=True)
    round = Whole(1, ROUNDS, required=True)
    seed = Text(SEED, load_default="")
    dealer = Whole(0, three_thirteen.PLAYERS.stop - 2)
    rules = Rules(three_thirteen)

    @validates_schema
    def dealer_sits(self, data: Mapping[str, Any], **_: Any) -> None:
        """The dealer is one of the players."""
        if data.get("dealer", 0) >= data["players"]:
            found = Found(Fault.OUT_OF_RANGE, {"minimum": 0, "maximum": data["players"] - 1})
            raise ValidationError({"dealer": [found]})


class ValidatePlay(Plain):
    """POST /v1/thirteen/validate-play."""

    cards = Cards(1, HAND, required=True)
    table = Table()
    hand = Cards(1, HAND, Fault.WRONG_HAND_SIZE, load_default=None, allow_none=False)
    must_include = OneCard(load_default=None)
    rules = Rules(thirteen)


class LegalPlays(Plain):
    """POST /v1/thirteen/legal-plays."""

    hand = Cards(1, HAND, Fault.WRONG_HAND_SIZE, required=True)
    table = Table()
    must_include = OneCard(load_default=None)
    rules = Rules(thirteen)


class _Hand(Body):
    """A hand of Three Thirteen in a round."""

    hand = Cards(3, ROUNDS + 3, Fault.WRONG_HAND_SIZE, copies=8, required=True)
    round = Whole(1, ROUNDS, required=True)
    rules = Rules(three_thirteen)

    def size(self, data: Mapping[str, Any]) -> int:
        """The number of cards that the hand must have."""
        raise NotImplementedError

    @validates_schema
    def hand_fits(self, data: Mapping[str, Any], **_: Any) -> None:
        """The hand has the round's size, and no more copies of a card than there are decks."""
        hand: tuple[Card, ...] = data["hand"]
        size = self.size(data)
        if len(hand) != size:
            raise ValidationError({"hand": [wrong_size(Fault.WRONG_HAND_SIZE, size, size, len(hand))]})
        try:
            refuse_copies(hand, data["rules"].decks or MOST_DECKS)
        except ValidationError as error:
            raise ValidationError({"hand": error.messages}) from error


class ScoreHand(_Hand):
    """POST /v1/three-thirteen/score-hand: a hand at the end of a round."""

    def size(self, data: Mapping[str, Any]) -> int:
        """round + 2 (R3)."""
        return int(data["round"]) + 2


class BestDiscard(_Hand):
    """POST /v1/three-thirteen/best-discard: a hand after drawing."""

    def size(self, data: Mapping[str, Any]) -> int:
        """round + 3 (R3, R6)."""
        return int(data["round"]) + 3


class ValidateMelds(_Hand):
    """POST /v1/three-thirteen/validate-melds: melds laid from a hand, after drawing if there is a discard."""

    melds = Melds(required=True)
    discard = OneCard()

    def size(self, data: Mapping[str, Any]) -> int:
        """round + 2, or round + 3 with a discard."""
        return int(data["round"]) + (3 if "discard" in data else 2)
