"""T12 to T16 with `pass_lock` and `bomb_after_pass`: who answers, when a trick ends, and who leads."""

import pytest

from rules.thirteen.options import Options
from rules.thirteen.play import legal_actions
from rules.thirteen.state import GameOver, Pass, Passed, Played, PlayerOut, TrickWon
from tests.rules.thirteen.positions import action, after, combination, played, position, reason

PAIRS_3 = "3S 3C 4S 4C 5S 5C"
PAIRS_4 = "6S 6C 7S 7C 8S 8C 9S 9C"


def test_t12_a_player_may_pass_although_able_to_play() -> None:
    state = after(position("3S 5S", "4S 6S", "7S 8S"), "3S")
    assert legal_actions(state, 1)[-1] == Pass(1)
    assert after(state, "pass").turn == 2


def test_t12_who_has_passed_is_out_until_the_table_is_cleared() -> None:
    state = after(position("3S 7S 9S", "4S TS JS", "5S 8S QS"), "3S", "pass", "5S", "7S")
    assert state.turn == 2
    state, events = played(state, "pass")
    assert events == (Passed(2), TrickWon(0, 0))
    assert after(state, "9S").turn == 1


def test_t14_the_last_to_play_leads_when_all_others_have_passed() -> None:
    state, events = played(position("3S 7S", "4S 8S", "5S 9S", "6S TS"), "3S", "pass", "5S", "pass", "pass")
    assert events == (Passed(0), TrickWon(2, 2))
    assert (state.turn, state.table) == (2, None)
    assert reason(state, "pass") == "must_lead"


def test_t15_when_the_last_to_play_is_out_the_others_still_answer() -> None:
    state = after(position("3S 7S", "4S", "5S 9S", "6S TS"), "3S", "4S")
    assert state.turn == 2
    state, events = played(state, "pass", "6S", "pass")
    assert events == (Passed(0), TrickWon(3, 3))


def test_t15_the_next_clockwise_with_cards_leads_when_nobody_beats_who_went_out() -> None:
    state, events = played(position("3S 7S", "4S", "5S 9S", "6S TS"), "3S", "4S", "pass", "pass", "pass")
    assert events == (Passed(0), TrickWon(1, 2))
    assert state.turn == 2


def test_t15_the_lead_skips_those_who_are_out_too() -> None:
    state = position("3S 9S", "2S", "4S", "5S 6S", turn=2)
    state = after(state, "4S", "pass", "9S", "2S")
    state, events = played(state, "pass")
    assert (state.turn, events) == (3, (Passed(0), TrickWon(1, 3)))


def test_t15_who_had_passed_before_stays_out_of_the_trick() -> None:
    state = after(position("3S 7S", "4S 5S", "8S", "6S TS"), "3S", "pass", "8S")
    assert state.turn == 3
    state, events = played(state, "pass", "pass")
    assert events == (Passed(0), TrickWon(2, 3))


def test_t14_t15_the_trick_ends_at_once_where_nobody_is_left_to_answer() -> None:
    state = position("3S 7S", "4S 5S", "8S", "6S TS JS", turn=3)
    state, events = played(state, "6S", "pass", "pass", "8S", "TS")
    assert events == (Played(3, combination("TS"), 1), TrickWon(3, 3))
    assert state.turn == 3


def test_t16_from_who_went_out_play_goes_on_clockwise() -> None:
    state, events = played(position("3S 7S", "4S 5S", "8S"), "3S", "4S", "8S")
    assert events == (Played(2, combination("8S"), 0), PlayerOut(2, 1))
    assert state.turn == 0


def test_pass_lock_false_a_pass_is_for_this_turn_only() -> None:
    state = position("3S 7S 9S", "4S TS JS", "5S 8S QS", pass_lock=False)
    state = after(state, "3S", "pass", "5S", "7S")
    assert state.turn == 1
    assert after(state, "TS").turn == 2


def test_pass_lock_false_the_trick_ends_when_all_others_pass_in_a_row() -> None:
    state = position("3S 7S 9S", "4S TS JS", "5S 8S QS", pass_lock=False)
    state = after(state, "3S", "pass", "5S", "7S", "pass")
    assert state.table == combination("7S")
    state, events = played(state, "pass")
    assert events == (Passed(2), TrickWon(0, 0))


def test_pass_lock_false_after_a_player_went_out() -> None:
    state = position("3S 7S", "4S TS JS", "8S", "5S QS", pass_lock=False)
    state = after(state, "3S", "pass", "8S", "pass", "pass")
    assert state.turn == 1
    assert played(state, "pass")[1] == (Passed(1), TrickWon(2, 3))


@pytest.mark.parametrize("bomb_after_pass", ["any", "four_pairs"])
def test_pass_lock_false_leaves_nothing_for_bomb_after_pass_to_do(bomb_after_pass: str) -> None:
    options = Options(pass_lock=False, bomb_after_pass=bomb_after_pass)
    state = position("3S 2S KH", "4S AS 2H", "5S QS QH", options=options)
    state = after(state, "3S", "pass", "5S", "2S")
    assert after(state, "2H").turn == 2


def test_bomb_after_pass_none_keeps_those_who_passed_out() -> None:
    state = after(position("3S 2S 9S", f"{PAIRS_3} KS", "6D TD 2D"), "3S", "pass", "6D", "2S")
    assert state.turn == 2
    assert played(state, "pass")[1] == (Passed(2), TrickWon(0, 0))


def test_bomb_after_pass_any_lets_those_who_passed_bomb_a_two() -> None:
    state = position("3D 2S 9S", f"{PAIRS_3} KS", "6D TD 2D", bomb_after_pass="any")
    state = after(state, "3D", "pass", "6D", "2S")
    assert state.turn == 1
    assert legal_actions(state, 1) == (action(1, PAIRS_3), Pass(1))
    state, events = played(state, PAIRS_3)
    assert events == (Played(1, combination(PAIRS_3), 1),)
    assert state.turn == 2


def test_bomb_after_pass_gives_turns_whatever_is_held() -> None:
    state = position("3D 2S 9S", "4S 8S KS", "6D TD 2D", bomb_after_pass="any")
    state = after(state, "3D", "pass", "6D", "2S")
    assert legal_actions(state, 1) == (Pass(1),)
    state = after(state, "pass")
    assert state.turn == 2
    assert played(state, "pass")[1] == (Passed(2), TrickWon(0, 0))


def test_bomb_after_pass_asks_again_after_the_next_two() -> None:
    state = position("3D 2S 9S", "4S 8S KS", "6D TD 2D", bomb_after_pass="any")
    state = after(state, "3D", "pass", "6D", "2S", "pass", "2D", "pass")
    assert state.turn == 1
    assert state.trick is not None
    assert sorted(state.trick.passed) == [0, 1]
    assert played(state, "pass")[1] == (Passed(1), TrickWon(2, 2))


def test_bomb_after_pass_only_while_a_bomb_could_beat_the_table() -> None:
    state = position("3D 2S 9S", f"{PAIRS_3} KS", "6D TD 2D", bomb_after_pass="any")
    assert after(state, "3D", "pass", "6D", "9S").turn == 2
    bombed = after(state, "3D", "pass", "6D", "2S", PAIRS_3)
    assert after(bombed, "pass").turn == 0
    assert played(bombed, "pass", "pass")[1] == (Passed(0), TrickWon(1, 1))


def test_bomb_after_pass_who_bombed_is_still_out_of_the_trick() -> None:
    third = "6D 6H 7D 7H 8D 8H"
    state = position("3D 2S 9S", f"{PAIRS_3} KS", f"TS KS {third}", "3H 4H 5H", bomb_after_pass="any")
    state = after(state, "3D", "pass", "TS", "pass", "2S", PAIRS_3, third)
    assert state.turn == 0
    assert state.trick is not None
    assert state.trick.passed == (1, 3)
    assert played(state, "pass")[1] == (Passed(0), TrickWon(2, 2))


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("2D", "passed_already"),
        ("KS", "passed_already"),
        ("KS KC", "passed_already"),
        ("KS 2D", "passed_already"),
        ("AH", "passed_already"),
        ("TS TC TD TH", "card_not_in_hand"),
        (PAIRS_4, "bomb_does_not_apply"),
        (PAIRS_3, None),
        ("pass", None),
    ],
)
def test_bomb_after_pass_any_other_play_has_passed_already(play: str, expected: str | None) -> None:
    mine = f"{PAIRS_3} {PAIRS_4} KS KC 2D"
    state = position("3D 2S 9D", mine, "6D TD 2H", bomb_after_pass="any")
    assert reason(after(state, "3D", "pass", "6D", "2S"), play) == expected


@pytest.mark.parametrize(("play", "expected"), [(PAIRS_3, "passed_already"), (PAIRS_4, None)])
def test_bomb_after_pass_four_pairs(play: str, expected: str | None) -> None:
    options = Options(bombs="southern", bomb_after_pass="four_pairs")
    state = position("3D 2S 9D", f"{PAIRS_3} {PAIRS_4} 5D 5H", "6D TD 2H", options=options)
    state = after(state, "3D", "pass", "6D", "2S")
    assert reason(state, play) == expected
    assert reason(state, "5S 5C 5D 5H") == "passed_already"
    plays = [a for a in legal_actions(state, 1) if not isinstance(a, Pass)]
    assert all(len(a.cards) >= 8 for a in plays)
    assert action(1, PAIRS_4) in plays


def test_bomb_after_pass_four_pairs_keeps_turns_on_a_two_that_four_pairs_do_not_beat() -> None:
    options = Options(bombs="exact", bomb_after_pass="four_pairs")
    state = after(
        position("3D 2S 9D", f"{PAIRS_4} KS", "6D TD 2H", options=options), "3D", "pass", "6D", "2S"
    )
    assert legal_actions(state, 1) == (Pass(1),)


@pytest.mark.parametrize(("bombs", "next_turn"), [("southern", 2), ("exact", 3), ("at_least", 3)])
def test_bomb_after_pass_answers_bombs_under_southern_alone(bombs: str, next_turn: int) -> None:
    options = Options(bombs=bombs, bomb_after_pass="any")
    state = position("3D 2S 9D", f"{PAIRS_3} KS", f"{PAIRS_4} KC", "6D TD 2H", options=options)
    state = after(state, "3D", "pass", "pass", "6D", "2S", PAIRS_3)
    assert state.turn == next_turn


def test_bomb_after_pass_southern_ends_with_a_bomb_that_nothing_beats() -> None:
    highest = "9D 9H TD TH JD JH QD QH KD KH AD AH"
    options = Options(bombs="southern", bomb_after_pass="any")
    state = position("3D 2S 4D", f"{highest} 3S", "6D TS 2H", "5C 7C 8C", options=options)
    state = after(state, "3D", "pass", "6D", "pass", "2S")
    assert state.turn == 1
    assert after(state, highest).turn == 2
    assert after(state, highest, "pass").turn == 0


def test_bomb_after_pass_by_a_player_who_goes_out_with_it() -> None:
    state = position("3D 2S", PAIRS_3, "6D", "3H 4H", bomb_after_pass="any")
    state = after(state, "3D", "pass", "6D", "pass", "2S")
    assert state.turn == 1
    _, events = played(state, PAIRS_3)
    places = (2, 3, 1, 4)
    assert events == (Played(1, combination(PAIRS_3), 0), PlayerOut(1, 3), GameOver(2, places))


def test_t14_the_trick_ends_at_once_on_a_bomb_that_only_players_who_passed_could_answer() -> None:
    state = position("3D 2S", f"{PAIRS_3} 9H", "6D", "3H 4H", bomb_after_pass="any")
    state = after(state, "3D", "pass", "6D", "pass", "2S")
    state, events = played(state, PAIRS_3)
    assert events == (Played(1, combination(PAIRS_3), 1), TrickWon(1, 1))
