"""The shuffle, version 1, against a second implementation of its specification and known deals."""

import struct
from collections.abc import Iterator
from hashlib import sha256
from random import Random

import pytest

from rules.cards import DECK, Card, decks
from rules.shuffle import SEED_BYTES, commitment, deal, draw, shuffle

SEED = bytes.fromhex("1e2feb89414c343c1027c4d1c386bbc4cd613e30d8f16adf91b7584a2265b1f5")
LABELS = ("thirteen/deal/1", "three_thirteen/dealer", "three_thirteen/round/3/refill/1", "")


def words(seed: bytes, label: str) -> Iterator[int]:
    """The random words as specified, block after block."""
    for k in range(1 << 32):
        yield from struct.unpack(
            ">8I", sha256(b"".join((seed, label.encode(), struct.pack(">Q", k)))).digest()
        )


def drawn(stream: Iterator[int], m: int) -> int:
    """The next word from below the highest multiple of m, within a cycle of m."""
    highest = 2**32 // m * m
    while (word := next(stream)) >= highest:
        pass
    return word % m


def shuffled(seed: bytes, label: str, cards: tuple[Card, ...]) -> list[Card]:
    """Fisher-Yates the other way of telling it: cards are taken out, and pile up from the last place."""
    stream = words(seed, label)
    left, pile = list(cards), list[Card]()
    while len(left) > 1:
        place = drawn(stream, len(left))
        pile.append(left[place])
        left[place] = left[-1]
        left.pop()
    return left + pile[::-1]


def texts(cards: str) -> list[str]:
    """The cards of a line, apart."""
    return cards.split()


def test_seed_has_32_bytes_and_its_commitment_is_its_sha256() -> None:
    assert len(SEED) == SEED_BYTES == 32
    assert commitment(SEED) == "10e69a1c838c52030f2d2a3de75f67ba7ef7c94a6949caf94e805bb3bdf2e80e"


@pytest.mark.parametrize("label", LABELS)
def test_shuffle_is_as_specified(label: str) -> None:
    random = Random(label)
    for size in (0, 1, 2, 3, 17, 52, 104, 416):
        cards = decks(8)[:size]
        seed = random.randbytes(32)
        assert list(shuffle(seed, label, cards)) == shuffled(seed, label, cards)


@pytest.mark.parametrize("below", [1, 2, 3, 8, 52, 2**31 + 1, 2**32 - 1, 2**32])
def test_draw_is_as_specified_also_where_words_are_refused(below: int) -> None:
    random = Random(below)
    for seed in (random.randbytes(32) for _ in range(50)):
        number = draw(seed, "three_thirteen/dealer", below)
        assert number == drawn(words(seed, "three_thirteen/dealer"), below)
        assert 0 <= number < below


def test_draw_refuses_words_of_the_incomplete_last_interval() -> None:
    """Of two cycles of 2^31 + 1 only one is whole: about half of the first words are refused."""
    below = 2**31 + 1
    seeds = [bytes([n]) * 32 for n in range(100)]
    refused = [seed for seed in seeds if next(words(seed, "x")) >= below]
    assert 30 < len(refused) < 70
    for seed in refused:
        first, *later = [word for word, _ in zip(words(seed, "x"), range(40), strict=False)]
        assert first % below != draw(seed, "x", below) == next(word for word in later if word < below)


def test_draw_refuses_the_first_word_of_the_incomplete_last_interval() -> None:
    """Drawing below a word w of 2^31 or more, the words from w on are refused: w is the first of them."""
    seed = next(seed for n in range(99) if next(words(seed := bytes([n]) * 32, "x")) >= 2**31)
    word = next(words(seed, "x"))
    assert draw(seed, "x", word + 1) == word
    assert draw(seed, "x", word) == drawn(words(seed, "x"), word) != 0


def test_a_shuffle_keeps_the_cards_and_leaves_what_it_was_given() -> None:
    cards = list(DECK)
    mixed = shuffle(SEED, "thirteen/deal/1", cards)
    assert cards == list(DECK)
    assert sorted(card.text for card in mixed) == sorted(card.text for card in DECK)


def test_labels_and_seeds_give_streams_of_their_own() -> None:
    mixed = {shuffle(SEED, label, DECK) for label in LABELS} | {shuffle(bytes(32), LABELS[0], DECK)}
    assert len(mixed) == len(LABELS) + 1


@pytest.mark.parametrize("first", [0, 1, 2])
def test_t2_r4_cards_are_dealt_one_at_a_time_clockwise_from_the_first(first: int) -> None:
    hands, rest = deal(DECK, 3, 4, first)
    for place in range(12):
        assert hands[(first + place) % 3][place // 3] is DECK[place]
    assert [len(hand) for hand in hands] == [4, 4, 4]
    assert rest == DECK[12:]


def test_known_deal_of_thirteen_for_three() -> None:
    hands, undealt = deal(shuffle(SEED, "thirteen/deal/1", DECK), 3, 13)
    assert [sorted(card.text for card in hand) for hand in hands] == [
        texts("2C 2D 2H 3H 7D 8C 8H AC JH KC KH QD QS"),
        texts("2S 3D 3S 4H 5H 5S 6D 7S 9H 9S AD QC TS"),
        texts("4C 4D 4S 5C 5D 6H 8D 8S 9D JC KS TC TD"),
    ]
    assert [card.text for card in undealt] == texts("7C JS 3C 6C TH QH 6S AH JD AS KD 7H 9C")


def test_known_deal_of_thirteen_for_two() -> None:
    seed = bytes.fromhex("cd447e35b8b6d8fe442e3d437204e52db2221a58008a05a6c4647159c324c985")
    hands, undealt = deal(shuffle(seed, "thirteen/deal/1", DECK), 2, 13)
    assert [sorted(card.text for card in hand) for hand in hands] == [
        texts("2H 3C 3H 5H 6C 7D 8C 9H AS JD JH KH TC"),
        texts("3D 6D 6S 8D 8H 9C AC AD AH KC QC TD TH"),
    ]
    assert [card.text for card in undealt] == texts(
        "7H KS 7C 6H JS 9S 2S 4C 9D 5C QD 2C 2D 3S 4H TS 7S 8S 5S KD QS 4D 5D 4S JC QH"
    )
    assert commitment(seed) == "8f7f96db9ad045dd9c92d7c8885ff22745a50bbe796f5e2edd3c12220b6e44cb"


def test_known_deal_of_three_thirteen_from_three_decks() -> None:
    """Round 2, six players: the last seat deals, so seat 0 gets the first card."""
    seed = bytes.fromhex("cd447e35b8b6d8fe442e3d437204e52db2221a58008a05a6c4647159c324c985")
    hands, rest = deal(shuffle(seed, "three_thirteen/round/2", decks(3)), 6, 4, 0)
    assert [sorted(card.text for card in hand) for hand in hands] == [
        *(texts("7C 7D JH QH"), texts("5S 9D AD KH"), texts("2D 5H 8D 9D")),
        *(texts("5D AC KC TC"), texts("3C 4C 5S 7H"), texts("2D KC QC TS")),
    ]
    assert [card.text for card in rest[:8]] == texts("4H 8D 6D JS 8H 4D 3S 9H")
    assert [card.text for card in rest[-2:]] == texts("TD 4S")
