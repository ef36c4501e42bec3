"""R6 and the option `take_back`: whether the card just taken from the discard pile may go back at once.

The hands are those of round 1, where the 3s are wild.
"""

from dataclasses import replace

from rules.three_thirteen.play import legal_actions
from rules.three_thirteen.state import Discard, GoOut
from tests.rules.three_thirteen.positions import Piles, action, after, card, cards, position, reason, refusal

HANDS = ("4S 7D JH", "5S 8D QH", "6S 9D KH")
PILES: Piles = {"stock": "2C AS KD", "discards": "8S TC"}


def test_r6_take_back_the_card_just_taken_may_be_discarded_again() -> None:
    state = position(*HANDS, **PILES)
    again = after(state, "draw discard", "discard TC")
    assert again == replace(state, turn=1)


def test_take_back_false_the_card_just_taken_may_not_be_discarded() -> None:
    state = after(position(*HANDS, **PILES, take_back=False), "draw discard")
    assert refusal(state, "discard TC") == ("take_back_forbidden", {"card": "TC"})
    assert legal_actions(state, 0) == tuple(action(0, f"discard {text}") for text in ("4S", "7D", "JH"))
    assert after(state, "discard JH").hands[0] == cards("4S TC 7D")


def test_take_back_false_another_copy_in_the_hand_may_be_discarded() -> None:
    state = position("4S TC JH", "5S 8D QH", **PILES, take_back=False)
    state = after(state, "draw discard")
    assert Discard(0, card("TC")) in legal_actions(state, 0)
    state = after(state, "discard TC")
    assert (state.hands[0], state.discards) == (cards("4S TC JH"), cards("8S TC"))


def test_take_back_false_is_for_the_discard_pile_alone() -> None:
    state = after(position(*HANDS, **PILES, take_back=False), "draw stock")
    assert reason(state, "discard 2C") is None


def test_take_back_false_is_for_the_same_turn_alone() -> None:
    state = position("4S 7D JH", "5S 8D QH", **PILES, take_back=False)
    state = after(state, "draw discard", "discard JH", "draw stock", "discard 2C", "draw stock")
    assert reason(state, "discard TC") is None
    state = after(position(*HANDS, **PILES, take_back=False), "draw discard", "discard JH", "draw discard")
    assert (reason(state, "discard JH"), reason(state, "discard TC")) == (
        "take_back_forbidden",
        "card_not_in_hand",
    )


def test_take_back_false_holds_for_the_discard_of_who_goes_out() -> None:
    state = position("7S 7C 7D", "5S 8D QH", **PILES, take_back=False)
    state = after(state, "draw discard")
    for text in ("out TC", "out TC: 7S 7C 7D", "out TC: 7S 7C JH"):
        assert refusal(state, text) == ("take_back_forbidden", {"card": "TC"})
    assert not any(text.startswith("out") for text in map(str, legal_actions(state, 0)))
    assert reason(after(position("7S 7C 7D", "5S 8D QH", **PILES), "draw discard"), "out TC") is None


def test_take_back_false_who_goes_out_may_discard_another_copy() -> None:
    state = after(position("TC TD TH", "5S 8D QH", **PILES, take_back=False), "draw discard")
    assert GoOut(0, card("TC")) in legal_actions(state, 0)
    for text in ("out TC", "out TC: TC TD TH"):
        out = after(state, text)
        assert (out.went_out, out.hands[0], out.discards) == (0, (), cards("8S TC"))


def test_take_back_false_holds_in_the_last_lap() -> None:
    state = position("7S 7C 7D KH", "5S 8D QH", "6S 9D JH", **PILES, take_back=False)
    state = after(state, "out KH", "draw discard")
    assert refusal(state, "discard KH") == ("take_back_forbidden", {"card": "KH"})
    assert reason(state, "discard QH") is None


def test_take_back_comes_after_a_card_that_is_not_in_the_hand_and_before_melds() -> None:
    state = after(position(*HANDS, **PILES, take_back=False), "draw discard")
    assert reason(state, "discard 8S") == "card_not_in_hand"
    assert reason(state, "out TC: 8S 8C 8D") == "take_back_forbidden"
