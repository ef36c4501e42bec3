"""T1, T2, T17 and the instant wins: the deal, the first lead, and hands that win at once."""

from itertools import permutations

import pytest

from rules.cards import DECK
from rules.errors import InvalidAction
from rules.thirteen.dealing import deal_hands, first_lead, instant_win
from rules.thirteen.options import PRESETS, Options
from tests.rules.thirteen.positions import SEED, cards

PLAIN = "3S 4C 6D 7H 9S TC JD QH KS KC AD 2H 2C"
FOUR_TWOS = "4S 5C 7D 8H TS JC QD KH AS 2S 2C 2D 2H"
DRAGON = "3C 4D 5H 6S 7C 8D 9H TS JC QD KH AS 5D"
SIX_PAIRS = "3D 3H 5S 5D 7C 7D 9C 9D JS JH AC AH 8S"
FIVE_CONSECUTIVE = "4D 4H 5S 5D 6C 6H 7S 7D 8C 8H TD QS KD"
ALL_KINDS = PRESETS["southern"].instant_wins


def wins(kind: str, hand: str) -> bool:
    """Whether a hand wins in this way against one that wins in no way."""
    return instant_win([cards(PLAIN), cards(hand)], Options(instant_wins=(kind,))) == (1, kind)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t1_t2_thirteen_cards_each_of_one_deck(players: int) -> None:
    hands, undealt = deal_hands(players, SEED)
    assert [len(hand) for hand in hands] == [13] * players
    assert sorted(c.text for part in (*hands, undealt) for c in part) == sorted(c.text for c in DECK)


def test_t2_one_at_a_time_from_seat_0() -> None:
    four, nothing = deal_hands(4, SEED)
    two, undealt = deal_hands(2, SEED)
    deck = [four[place % 4][place // 4] for place in range(52)]
    assert nothing == ()
    assert two == (tuple(deck[0:26:2]), tuple(deck[1:26:2]))
    assert undealt == tuple(deck[26:])


@pytest.mark.parametrize("players", [-1, 0, 1, 5])
def test_t2_two_to_four_players(players: int) -> None:
    with pytest.raises(InvalidAction) as raised:
        deal_hands(players, SEED)
    assert (raised.value.fault, raised.value.path) == ("out_of_range", ("players",))
    assert raised.value.params == {"minimum": 2, "maximum": 4}


@pytest.mark.parametrize("first_lead_is", ["lowest_card_included", "lowest_card"])
def test_t17_the_holder_of_the_lowest_card_dealt_leads(first_lead_is: str) -> None:
    options = Options(first_lead=first_lead_is)
    assert first_lead([cards("4H 2S"), cards("KD 4C"), cards("5S 6S")], options) == (1, cards("4C")[0])
    for order in permutations([cards("4H 2S"), cards("3S 2H"), cards("3C 3D 3H")]):
        assert first_lead(order, options) == (order.index(cards("3S 2H")), cards("3S")[0])


def test_first_lead_by_seat() -> None:
    hands, options = [cards("4H"), cards("3S"), cards("5S")], Options(first_lead="seat")
    assert first_lead(hands, options) == (0, None)
    assert first_lead(hands, options, 2) == (2, None)


@pytest.mark.parametrize("seat", [-1, 3])
def test_first_lead_by_a_seat_that_is_none(seat: int) -> None:
    with pytest.raises(InvalidAction) as raised:
        first_lead([cards("4H"), cards("3S"), cards("5S")], Options(first_lead="seat"), seat)
    assert (raised.value.fault, raised.value.path) == ("out_of_range", ("first_seat",))
    assert raised.value.params == {"minimum": 0, "maximum": 2}


@pytest.mark.parametrize("first_lead_is", ["lowest_card_included", "lowest_card"])
def test_first_seat_has_no_part_in_other_first_leads(first_lead_is: str) -> None:
    with pytest.raises(InvalidAction) as raised:
        first_lead([cards("4H"), cards("3S")], Options(first_lead=first_lead_is), 0)
    assert (raised.value.fault, raised.value.path) == ("invalid_value", ("first_seat",))


def test_no_instant_wins_by_default() -> None:
    hands = [cards(hand) for hand in (FOUR_TWOS, DRAGON, SIX_PAIRS, FIVE_CONSECUTIVE)]
    assert instant_win(hands, Options()) is None


@pytest.mark.parametrize(
    ("kind", "hand"),
    [
        ("four_twos", FOUR_TWOS),
        ("dragon", DRAGON),
        ("dragon", "3C 4D 5H 6S 7C 8D 9H TS JC QD KH AS 2S"),
        ("six_pairs", SIX_PAIRS),
        ("six_pairs", "3D 3H 3S 3C 7C 7D 7S 7H 9C 9D 2S 2D 8S"),
        ("six_pairs", "3D 3H 3S 6C 6D 7S 7H 9C 9D JS JC AS AH"),
        ("five_consecutive_pairs", FIVE_CONSECUTIVE),
        ("five_consecutive_pairs", "TD TH TS JD JH JS QD QH QS KD KS AS AH"),
        ("five_consecutive_pairs", "3D 3H 4D 4S 5D 5S 6D 6S 7D 7S 9S TS JS"),
    ],
)
def test_instant_win_of_a_kind(kind: str, hand: str) -> None:
    assert wins(kind, hand)


@pytest.mark.parametrize(
    ("kind", "hand"),
    [
        ("four_twos", "4S 5C 7D 8H TS JC QD KH AS 2S 2C 2D 3H"),
        ("four_twos", "AS AC AD AH 3H 4D 6S 8C 9D JH QC 2S 2C"),
        ("dragon", "4D 5H 6S 7C 8D 9H TS JC QD KH AS 2S 2C"),
        ("dragon", "3C 4D 5H 6S 7C 8D 9H TS JC QD KH KS KD"),
        ("six_pairs", "3D 3H 3S 6C 6D 6S 9C 9D 9H JS JC AS AH"),
        ("six_pairs", "3D 3H 3S 3C 7C 7D 7S 9C 9D 9H TS TH 4S"),
        ("five_consecutive_pairs", "JD JH QD QS KD KS AD AS 2S 2D 5S 6S 8S"),
        ("five_consecutive_pairs", "3D 3H 4D 4S 5D 5S 6D 6S 8D 8S 9S 9D 7S"),
        ("five_consecutive_pairs", "AD AH 2D 2S 3D 3S 4D 4S 5D 5S 7S 8S 9S"),
    ],
)
def test_hands_that_just_miss_an_instant_win(kind: str, hand: str) -> None:
    assert not wins(kind, hand)


def test_instant_wins_the_order_of_the_list_decides() -> None:
    hands = [cards(FIVE_CONSECUTIVE), cards(SIX_PAIRS), cards(FOUR_TWOS)]
    assert instant_win(hands, Options(instant_wins=ALL_KINDS)) == (2, "four_twos")
    assert instant_win(hands[:2], Options(instant_wins=ALL_KINDS)) == (1, "six_pairs")
    other_way_round = Options(instant_wins=ALL_KINDS[::-1])
    assert instant_win(hands, other_way_round) == (0, "five_consecutive_pairs")


def test_instant_wins_then_the_highest_card_decides() -> None:
    high, low = cards(SIX_PAIRS), cards("3S 3C 4S 4D 6C 6D 8C 8D TS TH AS AD 7S")
    for hands in ([high, low], [low, high]):
        assert instant_win(hands, Options(instant_wins=("six_pairs",))) == (hands.index(high), "six_pairs")
