"""The melding search, from the cards' texts to the arrangement found."""

from rules.cards import SPELLINGS
from rules.three_thirteen.melds import arrange
from rules.three_thirteen.options import Options

DEFAULT_RULES = Options()


def score(hand: list[str], round: int) -> int:
    """The penalty of the best arrangement of a hand under the default rules."""
    return arrange([*map(SPELLINGS.__getitem__, hand)], round, DEFAULT_RULES).penalty
