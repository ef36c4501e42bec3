"""The verifiable shuffle, version 1: anyone can reproduce a deal from its seed alone.

A seed is 32 bytes. Its commitment, the SHA-256 of those bytes, is published before the first move;
the seed itself when the game is over. A label separates the streams of one seed. Random words are
SHA-256(seed ‖ label ‖ k as 8 bytes big-endian) for k = 0, 1, …, each block eight 4-byte big-endian
words. Numbers below m are drawn without bias by refusing words from the incomplete last interval
(the same idea as in D. Lemire, "Fast Random Integer Generation in an Interval", 2019).
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from rules.cards import Card

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """SHA-256 of the seed's 32 bytes, as 64 hex digits."""
    return sha256(seed).hexdigest()


def _words(seed: bytes, label: str) -> Iterator[int]:
    head = seed + label.encode("ascii")
    block = 0
    while True:
        digest = sha256(head + block.to_bytes(8, "big")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _draw(words: Iterator[int], below: int) -> int:
    limit = (1 << 32) - (1 << 32) % below
    return next(word for word in words if word < limit) % below


def draw(seed: bytes, label: str, below: int) -> int:
    """One unbiased number in 0 … `below` - 1, the first of the stream `label`."""
    return _draw(_words(seed, label), below)


def shuffle(seed: bytes, label: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards in shuffled order (Fisher-Yates from the last place down); place 0 is the top."""
    words = _words(seed, label)
    pile = list(cards)
    for i in range(len(pile) - 1, 0, -1):
        j = _draw(words, i + 1)
        pile[i], pile[j] = pile[j], pile[i]
    return tuple(pile)


def deal(
    pile: Sequence[Card], players: int, each: int, first: int = 0
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Deals `each` cards to every seat, one at a time from the top, clockwise from seat `first`.

    Returns the hands by seat, each in the order it was dealt, and the rest of the pile.
    """
    taken = players * each
    hands = tuple(tuple(pile[(seat - first) % players : taken : players]) for seat in range(players))
    return hands, tuple(pile[taken:])
