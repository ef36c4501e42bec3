"""How much work the search does, and that it finds the same on every way to it."""

from random import Random

import pytest

from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS, hand_size
from rules.three_thirteen.search import Search, chosen_melds
from tests.rules.three_thirteen.hands import questions
from tests.rules.three_thirteen.melding import less, points, wild
from tests.rules.three_thirteen.positions import cards

HARD = (
    "KS KD KH 5H 6S 7C 7S 8D 8S 9S TS JS QS",
    "KS KD KH 6S 7D 8D 8D 9C 9D JD JD QD TD",
    "KC KH KS 5S 6D 7D 7H 8C 8D 9D JD QD TD",
    "KS 2D 2S 3D 3D 3S 4D 4S 5D 5S AD AS QC",
    "KS 2H 3H 4H 5H 5H 6H 6H 7H 7H 8H 9H JS",
    "KC KD KS 4D 5C 5D 6C 7C 7C 7D 8C 8D 8D",
)
"""The hands of 13 cards, kings wild, that hill climbing found to take the most work."""


@pytest.mark.parametrize("hand", HARD)
@pytest.mark.parametrize("aces", ["low", "low_or_high"])
def test_the_hardest_hands_known_take_little_work(hand: str, aces: str) -> None:
    assert Search(cards(hand), 11, aces).visits <= 300


@pytest.mark.parametrize("round_", ROUNDS)
def test_random_hands_take_little_work(round_: int) -> None:
    visits = [
        Search(question.cards, round_, question.rules.aces).visits
        for question in questions(Random(round_), round_, hand_size(round_), 400)
    ]
    assert sorted(visits)[200] <= 20
    assert max(visits) <= 150


def test_a_hand_in_which_nothing_melds_takes_no_work() -> None:
    assert Search(cards("2S 4C 6D 8H TS QC AD 3H 5S 7C 9D JH AH"), 11, "low").visits == 0


@pytest.mark.parametrize("round_", ROUNDS)
def test_the_melds_chosen_save_what_is_said(round_: int) -> None:
    for hand, _, rules in questions(Random(round_), round_, hand_size(round_), 100):
        search = Search(cards(" ".join(hand)), round_, rules.aces)
        face = Options(aces=rules.aces)
        naturals = [card for card in hand if card[0] != wild(round_)]
        assert search.total == sum(points(card, round_, face) for card in naturals)
        assert search.wilds == len(hand) - len(naturals)
        runs, levels = chosen_melds(search.best.chosen)
        rest = less(naturals, *[card.text for run in runs for card in run.cards])
        ranks = [search.tables.ranks[level] for level in levels]
        sets = [[card for card in rest if card[0] == rank] for rank in ranks]
        melded = [card.text for run in runs for card in run.cards] + [
            card for group in sets for card in group
        ]
        assert search.best.saved == sum(points(card, round_, face) for card in melded)
        used = sum(run.line.count(None) for run in runs) + sum(max(0, 3 - len(group)) for group in sets)
        assert used <= search.wilds


@pytest.mark.parametrize("round_", ROUNDS)
def test_giving_a_card_away_saves_what_a_search_without_it_saves(round_: int) -> None:
    for hand, _, rules in questions(Random(f"less {round_}"), round_, hand_size(round_) + 1, 100):
        search = Search(cards(" ".join(hand)), round_, rules.aces)
        best = search.best
        meldings = search.without_each(cards(" ".join(hand)))
        assert search.best == best
        assert {card.text: melding.saved for card, melding in meldings.items()} == {
            card: Search(cards(" ".join(less(hand, card))), round_, rules.aces).best.saved for card in hand
        }
