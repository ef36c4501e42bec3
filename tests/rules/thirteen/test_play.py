"""T2, T5, T8, T13 and T16 to T18 in play: the start, turns, places and the end, and refusals."""

import pytest

from rules.errors import IllegalAction, InvalidAction
from rules.game import OtherGamesMove
from rules.thirteen.dealing import deal_hands
from rules.thirteen.options import Options
from rules.thirteen.play import apply, finished, legal_actions, new_game
from rules.thirteen.state import (
    Event,
    GameOver,
    GameStarted,
    InstantWin,
    Pass,
    Passed,
    Play,
    Played,
    PlayerOut,
    State,
    TrickWon,
)
from tests.rules.thirteen import referee
from tests.rules.thirteen.positions import (
    SEED,
    action,
    after,
    cards,
    combination,
    played,
    position,
    reason,
    texts,
)

SEED_WITH_FOUR_TWOS = (67).to_bytes(32, "big")


def started(players: int, first_seat: int | None = None, **rules: object) -> tuple[State, tuple[Event, ...]]:
    """A new game from the one seed."""
    step = new_game(players, SEED, Options.build(rules), first_seat)
    return step.state, step.events


@pytest.mark.parametrize("players", [2, 3, 4])
def test_t2_t17_the_lowest_card_dealt_leads_and_must_be_played(players: int) -> None:
    state, events = started(players)
    dealt = sorted((text for hand in state.hands for text in texts(hand)), key=referee.strength)
    assert state.must_include == cards(dealt[0])[0]
    assert state.must_include in state.hands[state.turn or 0]
    assert events == (GameStarted(state.turn, state.must_include, state.hands),)
    assert [set(hand) for hand in state.hands] == [set(hand) for hand in deal_hands(players, SEED)[0]]


def test_t17_the_first_play_contains_the_lowest_card_and_no_later_one_must() -> None:
    state, _ = started(3)
    leader = state.turn or 0
    lowest, *others = texts(state.hands[leader])
    assert {reason(state, text) for text in others} == {"must_include_card"}
    assert all(isinstance(a, Play) and state.must_include in a.cards for a in legal_actions(state, leader))
    later = after(state, lowest, "pass", "pass")
    assert (later.turn, later.must_include) == (leader, None)
    assert {reason(later, text) for text in others} == {None}


def test_first_lead_lowest_card_leads_anything() -> None:
    state, _ = started(2, first_lead="lowest_card")
    assert (state.turn, state.must_include) == (started(2)[0].turn, None)
    assert {reason(state, text) for text in texts(state.hands[state.turn or 0])} == {None}


def test_first_lead_seat_leads_anything() -> None:
    assert started(3, first_lead="seat")[0].turn == 0
    state, _ = started(3, 2, first_lead="seat")
    assert (state.turn, state.must_include) == (2, None)
    assert {reason(state, text) for text in texts(state.hands[2])} == {None}


def test_first_seat_without_its_option_is_malformed() -> None:
    with pytest.raises(InvalidAction):
        started(3, 1)


def test_instant_win_ends_the_game_before_the_first_lead() -> None:
    options = Options.build({"preset": "southern"})
    step = new_game(4, SEED_WITH_FOUR_TWOS, options)
    hands = step.state.hands
    (winner,) = [seat for seat, hand in enumerate(hands) if set(cards("2S 2C 2D 2H")) <= set(hand)]
    places = tuple(1 if seat == winner else None for seat in range(4))
    assert step.events == (
        GameStarted(None, None, hands),
        InstantWin(winner, "four_twos", hands[winner]),
        GameOver(winner, places),
    )
    assert finished(step.state)
    assert (step.state.winner, step.state.places) == (winner, places)
    assert not finished(new_game(4, SEED_WITH_FOUR_TWOS, Options()).state)


def test_t8_t16_play_goes_clockwise_after_any_lead() -> None:
    state = position("3S 4S 5S 9S", "6C 7C 8C 9C", "6D 7D 8D TD", "2S 2C 2D 2H", turn=1)
    state, events = played(state, "6C 7C 8C")
    assert events == (Played(1, combination("6C 7C 8C"), 1),)
    assert state.hands[1] == cards("9C")
    turns = [state.turn]
    for move in ("6D 7D 8D", "pass", "pass"):
        state = after(state, move)
        turns.append(state.turn)
    assert turns == [2, 3, 0, 1]


def test_t13_the_leader_may_not_pass() -> None:
    state = position("3S 5S", "4S 6S")
    assert reason(state, "pass") == "must_lead"
    assert Pass(0) not in legal_actions(state, 0)


def test_t5_t18_first_out_is_the_winner_at_once_and_play_goes_on() -> None:
    state, events = played(position("3S", "4S 6S", "5S 7S"), "3S")
    assert events == (Played(0, combination("3S"), 0), PlayerOut(0, 1))
    assert (state.winner, state.places, state.turn) == (0, (1, None, None), 1)
    assert not finished(state)


def test_t18_the_last_player_left_gets_the_last_place() -> None:
    state, events = played(position("3S", "4S 6S", "5S 7S"), "3S", "4S", "5S", "6S")
    assert events == (Played(1, combination("6S"), 0), PlayerOut(1, 2), GameOver(0, (1, 2, 3)))
    assert finished(state)
    assert (state.winner, state.places, state.turn) == (0, (1, 2, 3), None)


def test_t18_of_two_players_the_first_out_ends_the_game() -> None:
    state, events = played(position("3S 5S", "4S 6S", turn=1), "4S", "5S", "6S")
    assert events[1:] == (PlayerOut(1, 1), GameOver(1, (2, 1)))
    assert state.places == (2, 1)


@pytest.mark.parametrize(("hands", "places"), [(2, (1, None)), (4, (1, None, None, None))])
def test_finish_first_out_gives_the_others_no_place(hands: int, places: tuple[int | None, ...]) -> None:
    state = position("3S", *["4S 6S", "5S 7S", "8S 9S"][: hands - 1], finish="first_out")
    state, events = played(state, "3S")
    assert events == (Played(0, combination("3S"), 0), PlayerOut(0, 1), GameOver(0, places))
    assert (finished(state), state.places) == (True, places)


def test_t16_seats_that_are_out_are_skipped() -> None:
    state = after(position("3S 9S", "4S", "5S TS QS", "6S JS"), "3S", "4S", "5S", "6S", "9S", "TS")
    assert state.turn == 3
    assert after(state, "pass").turn == 2


def test_t5_playing_takes_the_cards_from_the_hand() -> None:
    state = after(position("3S 3C 5S 5H", "4S 4C"), "3C 3S")
    assert state.hands == (cards("5S 5H"), cards("4S 4C"))


def test_passed_and_trick_won_are_told() -> None:
    _, events = played(position("3S 9S", "4S TS"), "3S", "pass")
    assert events == (Passed(1), TrickWon(0, 0))


def test_reasons_in_order() -> None:
    over = after(position("3S", "4S 6S"), "3S")
    assert (reason(over, "4S", 1), reason(over, "pass", 0)) == ("game_over", "game_over")
    state = after(position("3S 9S", "4S 6S TH"), "3S")
    assert reason(state, "pass", 0) == "not_your_turn"
    assert reason(state, "9H", 0) == "not_your_turn"
    assert reason(state, "9H 4S") == "card_not_in_hand"
    assert reason(state, "4S 6S") == "not_a_combination"
    assert reason(after(state, "4S"), "3S") == "card_not_in_hand"
    led = position("3S 4S", "5H 6H", turn=1)
    assert reason(after(led, "5H"), "4S") == "too_low"


def test_not_your_turn_names_whose_turn_it_is() -> None:
    with pytest.raises(IllegalAction) as raised:
        apply(position("3S 9S", "4S 6S", turn=1), Play(0, cards("3S")))
    assert raised.value.params == {"turn": 1}


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_a_seat_that_is_none_never_has_the_turn(seat: int) -> None:
    state = position("3S 9S", "4S 6S")
    assert reason(state, "3S", seat) == "not_your_turn"
    assert legal_actions(state, seat) == ()


def test_a_card_may_not_be_played_twice_at_once() -> None:
    assert reason(position("3S 9S", "4S 6S"), "3S 3S") == "not_a_combination"


def test_a_move_of_the_other_game_is_refused_in_its_turn() -> None:
    state = position("3S 9S", "4S 6S")
    for seat, expected in ((1, "not_your_turn"), (0, "wrong_move_for_game")):
        with pytest.raises(IllegalAction) as raised:
            apply(state, OtherGamesMove(seat, "draw"))
        assert raised.value.reason == expected
    over = after(state, "3S", "4S", "9S")
    with pytest.raises(IllegalAction) as raised:
        apply(over, OtherGamesMove(0, "draw"))
    assert raised.value.reason == "game_over"


def test_legal_actions_are_those_of_the_seat_whose_turn_it_is() -> None:
    state = after(position("3S 9S", "4S 4C 2S"), "3S")
    assert legal_actions(state, 0) == ()
    assert legal_actions(state, 1) == tuple(action(1, text) for text in ("4S", "4C", "2S", "pass"))
    assert legal_actions(after(state, "2S", "pass", "4S 4C"), 1) == ()
