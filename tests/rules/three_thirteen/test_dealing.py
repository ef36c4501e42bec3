"""R1, R3 to R5 and R14: the decks, the dealer, the deal of a round, and the stock made of discards."""

from collections import Counter
from itertools import chain
from random import Random

import pytest

from rules.cards import DECK
from rules.errors import InvalidAction
from rules.three_thirteen.dealing import Dealt, deal_round, deck_count, first_dealer, refilled
from rules.three_thirteen.options import Options
from tests.rules.three_thirteen.positions import FEWEST_DECKS, SEED, cards, texts
from tests.rules.three_thirteen.referee import dealer_by_lot, shuffled

UNSHUFFLED = tuple(card.text for card in DECK)


def dealt(players: int, round_: int, dealer: int = 0, decks: int | None = None) -> Dealt:
    """A deal from the one seed."""
    return deal_round(players, SEED, Options(decks=decks), round_, dealer)


def shuffled_decks(round_: int, decks: int) -> tuple[str, ...]:
    """The decks as the verifiable shuffle leaves them for a round of the one seed."""
    return shuffled(SEED, f"three_thirteen/round/{round_}", UNSHUFFLED * decks)


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)])
def test_r1_half_as_many_decks_as_players_rounded_up(players: int, decks: int) -> None:
    assert deck_count(players, Options()) == decks


@pytest.mark.parametrize("players", [-2, 0, 1, 9])
def test_r1_two_to_eight_players(players: int) -> None:
    with pytest.raises(InvalidAction) as raised:
        deck_count(players, Options())
    assert (raised.value.fault, raised.value.path) == ("out_of_range", ("players",))
    assert raised.value.params == {"minimum": 2, "maximum": 8}


@pytest.mark.parametrize("players", range(2, 9))
def test_r1_decks_hold_all_hands_of_round_11_and_13_cards_more(players: int) -> None:
    enough = [decks for decks in range(1, 9) if 52 * decks >= 13 * players + 13]
    assert enough[0] == FEWEST_DECKS[players]
    assert [deck_count(players, Options(decks=decks)) for decks in enough] == enough


@pytest.mark.parametrize(("players", "decks"), [(4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (8, 2)])
def test_r1_too_few_decks_are_out_of_range(players: int, decks: int) -> None:
    with pytest.raises(InvalidAction) as raised:
        deck_count(players, Options(decks=decks))
    assert (raised.value.fault, raised.value.path) == ("out_of_range", ("rules", "decks"))
    assert raised.value.params == {"minimum": FEWEST_DECKS[players], "maximum": 8}


@pytest.mark.parametrize("players", range(2, 9))
def test_r1_each_card_is_dealt_once_a_deck(players: int) -> None:
    for decks in (None, FEWEST_DECKS[players], 8):
        deal = dealt(players, 7, decks=decks)
        all_cards = Counter(DECK * deck_count(players, Options(decks=decks)))
        assert Counter([*chain(*deal.hands), deal.turned_up, *deal.stock]) == all_cards


@pytest.mark.parametrize("round_", range(1, 12))
def test_r3_round_r_deals_r_and_two_cards_to_each_player(round_: int) -> None:
    for players in range(2, 9):
        assert [len(hand) for hand in dealt(players, round_).hands] == [round_ + 2] * players


@pytest.mark.parametrize("players", range(2, 9))
def test_r4_the_first_dealer_is_chosen_by_lot(players: int) -> None:
    random = Random(players)
    seeds = [random.randbytes(32) for _ in range(200)]
    chosen = [first_dealer(players, seed) for seed in seeds]
    assert chosen == [dealer_by_lot(seed, players) for seed in seeds]
    assert {*chosen} == {*range(players)}


@pytest.mark.parametrize(("players", "round_", "dealer"), [(2, 1, 1), (3, 4, 0), (5, 11, 4), (8, 6, 3)])
def test_r4_r5_the_deal_is_one_card_at_a_time_from_the_left_of_the_dealer(
    players: int, round_: int, dealer: int
) -> None:
    pile = shuffled_decks(round_, deck_count(players, Options()))
    deal = dealt(players, round_, dealer)
    clockwise = [(dealer + 1 + place) % players for place in range(players)]
    for place, text in enumerate(pile[: players * (round_ + 2)]):
        assert deal.hands[clockwise[place % players]][place // players].text == text
    rest = pile[players * (round_ + 2) :]
    assert (deal.turned_up.text, texts(deal.stock)) == (rest[0], rest[1:])


def test_r3_each_round_is_shuffled_anew() -> None:
    deals = [dealt(2, round_) for round_ in range(1, 12)]
    assert [texts(deal.stock[-10:]) for deal in deals] == [shuffled_decks(r, 1)[-10:] for r in range(1, 12)]
    assert len({deal.stock[-10:] for deal in deals}) == 11


def test_r14_discards_are_shuffled_oldest_first_under_the_label_of_round_and_refill() -> None:
    discards = cards("4S 9H 9H KD 2C 7S AH TD")
    for round_, times in ((1, 1), (1, 2), (11, 1), (11, 12)):
        label = f"three_thirteen/round/{round_}/refill/{times}"
        assert texts(refilled(SEED, round_, times, discards)) == shuffled(SEED, label, texts(discards))


def test_r14_known_stock_made_of_discards() -> None:
    """By hand from SHA-256(seed ‖ label ‖ 0) = 53505b51 aba1fc33 13918396 9647c29d …, as draws 0, 3, 1, 1."""
    discards = cards("4S 9H KD 2C 7S")
    assert texts(refilled(SEED, 2, 1, discards)) == ("7S", "KD", "9H", "2C", "4S")
