"""R9 in play: going out with melds and without, and the reasons against it."""

import pytest

from rules.three_thirteen.arrangement import Meld
from rules.three_thirteen.melds import arrange
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import legal_actions, new_game
from rules.three_thirteen.state import Draw, GoOut, WentOut
from tests.rules.three_thirteen.positions import (
    Piles,
    after,
    card,
    cards,
    played,
    position,
    reason,
    refusal,
    texts,
)

PILES: Piles = {"stock": "2C AS KD 2D 6C 8H TS JD", "discards": "8S TC"}
OTHERS = ("5S 8D QH", "6S 9D KC")
SEED_WITH_A_MELD = (45).to_bytes(32, "big")
"""Of two players the first to play is dealt 3S QC QH."""

ROUND_2 = "5S 5C 8D QH"
ROUND_7 = "2S 2C 2H TS TC TH QS QC QH"


def melds(*written: str) -> tuple[Meld, ...]:
    """Melds written as `set 7S 7C 7D`, of cards that all stand for themselves."""
    return tuple(Meld(text[:3], cards(text[3:]), texts(cards(text[3:]))) for text in written)


def test_r9_who_has_all_cards_in_melds_but_one_may_lay_them_down_and_discard_it() -> None:
    state, events = played(position("7S 7C 7D KH", *OTHERS, **PILES), "out KH")
    assert events == (WentOut(0, card("KH"), melds("set 7S 7C 7D")),)
    assert (state.hands[0], state.discards) == ((), cards("8S TC KH"))
    assert (state.went_out, state.laid, state.final_turns) == (0, melds("set 7S 7C 7D"), 2)
    assert (state.turn, state.phase) == (1, "draw")


def test_r9_without_melds_an_optimal_arrangement_is_laid_down() -> None:
    hand = "4S 5S 6S 7S 7C 7D JH QH KH"
    state, events = played(position(f"{hand} 2D", ROUND_7, **PILES), "out 2D")
    assert isinstance(events[0], WentOut)
    assert events[0].melds == state.laid == arrange(cards(hand), 7, Options()).melds
    assert sorted(texts(tuple(it for meld in state.laid for it in meld.cards))) == sorted(hand.split())


@pytest.mark.parametrize(
    ("laid", "told"),
    [
        ("4S 4C 4D, 5S 5C 5D, 6S 6C 6D", ("set 4S 4C 4D", "set 5S 5C 5D", "set 6S 6C 6D")),
        ("5C 6C 4C, 6S 5S 4S, 4D 5D 6D", ("run 4C 5C 6C", "run 4S 5S 6S", "run 4D 5D 6D")),
    ],
)
def test_r9_melds_are_laid_down_as_they_are_given(laid: str, told: tuple[str, ...]) -> None:
    state = position("4S 5S 6S 4C 5C 6C 4D 5D 6D KH", ROUND_7, **PILES)
    assert played(state, f"out KH: {laid}")[1] == (WentOut(0, card("KH"), melds(*told)),)


def test_r8_r9_what_wilds_in_given_melds_stand_for_is_told() -> None:
    state = position("4S 6S 8C 8D 9H 9S 9C 9D 9D KH", ROUND_7, **PILES)
    laid = after(state, "out KH: 8D 9S 8C, 6S 9H 4S, 9C 9D 9D").laid
    assert [(meld.type, " ".join(meld.represents)) for meld in laid] == [
        ("set", "8D 8C 8"),
        ("run", "4S 5S 6S"),
        ("set", "9C 9D 9D"),
    ]
    assert texts(laid[1].cards) == ("4S", "9H", "6S")


@pytest.mark.parametrize("text", ["out 7H", "out 7H: 7S 7C 7D", "out 7S", "out 7C: 7H 7D 7S"])
def test_r9_a_card_that_would_fit_a_meld_may_be_discarded(text: str) -> None:
    state = after(position("7S 7C 7D 7H", OTHERS[0], **PILES), text)
    assert (state.went_out, state.discards[-1].text) == (0, text[4:6])


def test_r9_a_wild_card_may_be_discarded() -> None:
    state = after(position("7S 7C 7D 3H", OTHERS[0], **PILES), "out 3H")
    assert (state.went_out, state.discards[-1]) == (0, card("3H"))


def test_r9_of_a_run_of_four_an_end_may_be_discarded_but_no_middle() -> None:
    state = position("4S 5S 6S 7S", OTHERS[0], **PILES)
    expected = {"4S": None, "5S": "wrong_discard", "6S": "wrong_discard", "7S": None}
    assert {text: reason(state, f"out {text}") for text in expected} == expected
    out = {it.discard.text for it in legal_actions(state, 0) if isinstance(it, GoOut)}
    assert out == {"4S", "7S"}


def test_r9_it_may_be_done_on_the_first_turn_of_the_game() -> None:
    state = new_game(2, SEED_WITH_A_MELD, Options()).state
    seat = state.turn or 0
    state = after(state, "draw stock", f"out {state.stock[0]}")
    assert (state.round, state.went_out, state.turn) == (1, seat, 1 - seat)


def test_r9_only_after_drawing() -> None:
    state = position("7S 7C 7D", OTHERS[0], **PILES)
    assert refusal(state, "out 7S") == ("wrong_phase", {"phase": "draw"})
    assert not any(isinstance(it, GoOut) for it in legal_actions(state, 0))


def test_r7_r9_identical_cards_may_share_a_set_and_are_discarded_apart() -> None:
    state = after(position("7S 7S 7S 7S", OTHERS[0], **PILES), "out 7S: 7S 7S 7S")
    assert (state.laid, state.discards[-1]) == (melds("set 7S 7S 7S"), card("7S"))


@pytest.mark.parametrize(
    ("laid", "meld"),
    [
        ("4S 4C 5D, 5S 5C 4D, 6S 6C 6D", 0),
        ("4S 4C 4D, 5S 6S 5C, 6C 6D 5D", 1),
        ("4S 4C 4D, 5S 5C 5D, 6S 6C", 2),
        ("4S 4C 4D, 5S 5C 5D, 6S 6C 6D, ", 3),
        ("4S 5S 6S, 4C 5C 6D, 4D 5D 6C", 1),
    ],
)
def test_r7_not_a_meld_tells_which(laid: str, meld: int) -> None:
    state = position("4S 5S 6S 4C 5C 6C 4D 5D 6D KH", ROUND_7, **PILES)
    assert refusal(state, f"out KH: {laid}") == ("not_a_meld", {"meld": meld})


@pytest.mark.parametrize(
    ("hand", "low", "low_or_high"),
    [
        ("AS 2S 4S", "not_a_meld", "not_a_meld"),
        ("AS 2S KS", "not_a_meld", "not_a_meld"),
        ("QS KS AS", "not_a_meld", None),
        ("5S 6S 6S", "not_a_meld", "not_a_meld"),
        ("5S 3D 8S", "not_a_meld", "not_a_meld"),
        ("AS 2S 3D", None, None),
        ("KS 3D QS", None, None),
        ("5S 3D 7S", None, None),
    ],
)
def test_r7_r8_r12_melds_of_one_who_goes_out(hand: str, low: str | None, low_or_high: str | None) -> None:
    for aces, expected in (("low", low), ("low_or_high", low_or_high)):
        state = position(f"{hand} JH", OTHERS[0], **PILES, aces=aces)
        assert reason(state, f"out JH: {hand}") == expected
        assert reason(state, "out JH") == (expected and "cards_left_over")


def test_r9_r12_a_given_run_that_an_ace_ends_is_laid_down() -> None:
    state = position("AS KS QS JH", OTHERS[0], **PILES, aces="low_or_high")
    assert after(state, "out JH: KS AS QS").laid == melds("run QS KS AS")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("out KH: 6S 6C 6D", ["7S"]),
        ("out KH:", ["6C", "6D", "6S", "7S"]),
        ("out KH", ["7S"]),
        ("out 6S", ["6C", "6D", "7S", "KH"]),
    ],
)
def test_r9_cards_left_over_tells_which(text: str, left: list[str]) -> None:
    state = position("6S 6C 7S 6D KH", ROUND_2, **PILES)
    refused = refusal(state, text)
    assert refused is not None
    told = refused[1]["cards"]
    assert isinstance(told, list)
    assert (refused[0], sorted(told)) == ("cards_left_over", left)


@pytest.mark.parametrize("text", ["out 7S: 7S 7C 7D", "out 7S: 7C 7D 7S", "out 7S"])
def test_r9_wrong_discard_where_the_melds_need_it(text: str) -> None:
    state = position("7S 7C 7D KH", OTHERS[0], **PILES)
    assert refusal(state, text) == ("wrong_discard", {"card": "7S"})


def test_r9_wrong_discard_or_cards_left_over_depends_on_whether_another_discard_would_do() -> None:
    assert reason(position("7S 7C 7D KH", OTHERS[0], **PILES), "out 7S") == "wrong_discard"
    assert reason(position("7S 7C 8D KH", OTHERS[0], **PILES), "out 7S") == "cards_left_over"


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("out 8H", "8H"),
        ("out 8H: 7S 7C 7D", "8H"),
        ("out KH: 7S 7C 7H", "7H"),
        ("out KH: 7S 7C 7C", "7C"),
        ("out KH: 7S 7C 7D, 7S 8S 9S", "7S"),
        ("out KH: 7S 7C, 7D JH", "JH"),
        ("out KH: KH KH 7S", "KH"),
    ],
)
def test_r7_r9_card_not_in_hand_nor_twice_in_it_comes_first(text: str, missing: str) -> None:
    refused = refusal(position("7S 7C 7D KH", OTHERS[0], **PILES), text)
    assert refused is not None
    assert refused[0] == "card_not_in_hand"
    assert refused[1]["card"] in {missing, "8S", "9S"}


def test_reasons_in_order() -> None:
    state = position("7S 7C 7D", OTHERS[0], **PILES)
    assert reason(state, "out 8H: 9C 9D", 1) == "not_your_turn"
    assert reason(state, "out 8H: 9C 9D") == "wrong_phase"
    state = after(state, "draw stock")
    assert reason(state, "out 8H: 9C 9D") == "card_not_in_hand"
    assert reason(state, "out 2C: 7S 7C, 9D") == "card_not_in_hand"
    assert reason(state, "out 2C: 7S 7C") == "not_a_meld"
    assert reason(state, "out 2C:") == "cards_left_over"


def test_r9_the_discard_of_who_goes_out_lies_on_top_for_the_next() -> None:
    state = after(position("7S 7C 7D KH", OTHERS[0], **PILES), "out KH")
    assert legal_actions(state, 1) == (Draw(1, "stock"), Draw(1, "discard"))
    assert card("KH") in after(state, "draw discard").hands[1]
