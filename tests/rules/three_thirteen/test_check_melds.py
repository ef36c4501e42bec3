"""R7 to R9 and R11: melds that a player names, what they leave, and why they are refused."""

from random import Random

import pytest

from rules.three_thirteen.melds import Checked, arrange, check_melds
from rules.three_thirteen.options import Options
from rules.three_thirteen.ranks import ROUNDS, hand_size
from tests.rules.three_thirteen.hands import Question, questions
from tests.rules.three_thirteen.melding import is_meld, less, points
from tests.rules.three_thirteen.positions import card, cards, texts


def checked(hand: str, melds: str, round_: int, discard: str | None = None, **rules: object) -> Checked:
    """What melds written as `7S 7C 7D, 4H 5H 6H` are worth."""
    named = [cards(meld) for meld in melds.split(",") if meld]
    gone = card(discard) if discard else None
    return check_melds(cards(hand), named, gone, round_, Options.build(rules))


def told(found: Checked) -> tuple[int | None, int | None, bool]:
    """The numbers without the reason."""
    return found.penalty, found.best_penalty, found.goes_out


@pytest.mark.parametrize(
    ("hand", "melds", "round_", "expected"),
    [
        ("7H 7H 7S 2C", "7H 7H 7S", 2, (2, 2, False)),
        ("3S 3H 3D", "3S 3H 3D", 1, (0, 0, False)),
        ("9H 3S 3D", "3S 9H 3D", 1, (0, 0, False)),
        ("6H 7H 8H 2C KS 8C JD", "6H 7H 8H", 5, (30, 28, False)),
        ("7S 7C 7D 8S 9S", "", 3, (38, 14, False)),
        ("7S 7C 7D 8S 9S", "7S 8S 9S", 3, (14, 14, False)),
        ("KS KD 3C", "", 1, (23, 0, False)),
    ],
)
def test_r11_cards_in_no_meld_count(
    hand: str, melds: str, round_: int, expected: tuple[int, int, bool]
) -> None:
    found = checked(hand, melds, round_)
    assert (told(found), found.reason) == (expected, None)


@pytest.mark.parametrize(
    ("hand", "melds", "discard", "round_", "expected"),
    [
        ("7H 7S 3C 9D", "7H 7S 3C", "9D", 1, (0, 0, True)),
        ("7H 7S 7C 7D", "7H 7S 7C", "7D", 1, (0, 0, True)),
        ("7H 7S 7C 7C", "7H 7S 7C", "7C", 1, (0, 0, True)),
        ("7H 7S 7C 9D", "", "9D", 1, (21, 0, False)),
        ("5H 6H 7H 2D 2S", "5H 6H 7H", "2S", 2, (2, 2, False)),
    ],
)
def test_r9_a_player_goes_out_who_has_a_discard_and_nothing_left_over(
    hand: str, melds: str, discard: str, round_: int, expected: tuple[int, int, bool]
) -> None:
    found = checked(hand, melds, round_, discard)
    assert (told(found), found.reason) == (expected, None)


@pytest.mark.parametrize(
    ("hand", "melds", "discard", "round_", "reason", "params"),
    [
        ("5H 6C 7C 2C KS 8C", "5H 6C 7C", None, 4, "not_a_meld", {"meld": 0}),
        ("5H 5C 2C KS 8C JD", "5H 5C", None, 4, "not_a_meld", {"meld": 0}),
        ("5H 5H 7H", "5H 5H 7H", None, 1, "not_a_meld", {"meld": 0}),
        ("2H 4H 5H", "2H 4H 5H", None, 1, "not_a_meld", {"meld": 0}),
        ("7S 7C 7D KH QH 2S", "7S 7C 7D, KH QH 2S", None, 4, "not_a_meld", {"meld": 1}),
        ("5H KC 9D", "5H 5H 5H", None, 1, "card_not_in_hand", {"card": "5H"}),
        ("7S 7C 7D 8S", "7S 7C 7D, 7S 8S 9S", None, 2, "card_not_in_hand", {"card": "7S"}),
        ("7H 7S 3C 9D", "7H 7S 3C", "9S", 1, "card_not_in_hand", {"card": "9S"}),
        ("7H 7S 3C 9D", "7H 7S 3C", "7S", 1, "wrong_discard", {"card": "7S"}),
        ("7H 7S 3C 9D", "7H 7S 7S", "7S", 1, "card_not_in_hand", {"card": "7S"}),
        ("7H 7S 3C 9D", "7H 7S 4C", "7S", 1, "card_not_in_hand", {"card": "4C"}),
    ],
)
def test_r7_r9_refused_melds(
    hand: str, melds: str, discard: str | None, round_: int, reason: str, params: dict[str, object]
) -> None:
    found = checked(hand, melds, round_, discard)
    assert found.reason is not None
    assert (found.reason.reason, found.reason.params) == (reason, params)
    assert (found.penalty, found.goes_out) == (None, False)


def test_the_best_penalty_is_told_of_refused_melds_unless_the_discard_is_not_held() -> None:
    assert checked("7H 7S 3C 9D", "7H 7S 9D", 1, "3C").best_penalty == 23
    assert checked("7H 7S 3C 9D", "7H 7S 3C", 1, "7S").best_penalty == 19
    assert checked("7H 7S 3C 9D", "7H 7S 3C", 1, "KS").best_penalty is None


@pytest.mark.parametrize("round_", ROUNDS)
def test_r7_r11_random_melds_are_worth_what_the_clauses_say(round_: int) -> None:
    random = Random(round_)
    legal = 0
    for question in questions(random, round_, hand_size(round_), 300):
        hand, _, rules = question
        groups = groups_of(random, question)
        found = check_melds(question.cards, [cards(" ".join(g)) for g in groups], None, round_, rules)
        wrong = [i for i, group in enumerate(groups) if not is_meld(group, round_, rules)]
        left = less(hand, *[card for group in groups for card in group])
        if wrong:
            assert (told(found)[0], found.reason and found.reason.params) == (None, {"meld": wrong[0]})
        else:
            legal += bool(groups)
            assert (found.penalty, found.reason) == (sum(points(c, round_, rules) for c in left), None)
        assert found.best_penalty == arrange(question.cards, round_, rules).penalty
        assert found.penalty is None or found.penalty >= found.best_penalty
    assert legal > 30


def groups_of(random: Random, question: Question) -> list[list[str]]:
    """Some melds of the best arrangement, and now and then cards at random from the rest."""
    best = arrange(question.cards, question.round, question.rules)
    groups = [[*texts(meld.cards)] for meld in best.melds if random.random() < 0.7]
    left = less(question.hand, *[card for group in groups for card in group])
    if len(left) >= 3 and random.random() < 0.5:
        groups.insert(random.randint(0, len(groups)), random.sample(left, 3))
    for group in groups:
        random.shuffle(group)
    return groups
