"""The order of ranks, the wild rank of a round, and what a card left over counts (R2, R8, R11)."""

from rules.cards import DECK, Card, Rank

ROUNDS = range(1, 12)
"""The 11 rounds; round r deals r + 2 cards to each player (R3)."""

RANKS: tuple[Rank, ...] = tuple(Rank)
"""Low to high, the ace lowest (R2)."""

DECK_ORDER: dict[Card, int] = {card: i for i, card in enumerate(DECK)}
"""Where a card stands when a hand is sorted by suit, then rank."""


def hand_size(round_: int) -> int:
    """How many cards each player is dealt (R3)."""
    return round_ + 2


def wild_rank(round_: int) -> Rank:
    """The rank whose cards are wild (R8): the 3 in round 1, …, the king in round 11."""
    return RANKS[round_ + 1]


def face_value(rank: Rank, high_aces: bool) -> int:
    """What a left-over card of the rank counts (R11); an ace that may be high counts 15."""
    if rank is Rank.ACE:
        return 15 if high_aces else 1
    return min(RANKS.index(rank) + 1, 10)
