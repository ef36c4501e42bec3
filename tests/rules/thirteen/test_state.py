"""The winner and the order of play, read off a state."""

from dataclasses import replace

import pytest

from tests.rules.thirteen.positions import after, combination, position


@pytest.mark.parametrize(
    ("places", "winner"), [((None, None), None), ((2, 1), 1), ((1, None), 0), ((3, 2, 1), 2)]
)
def test_t18_winner_is_who_has_the_first_place(places: tuple[int | None, ...], winner: int | None) -> None:
    assert replace(position("3S", "4S"), places=places).winner == winner


def test_t16_clockwise_goes_from_the_next_seat_round_to_the_one_before() -> None:
    state = position("3S", "4S", "5S", "6S")
    assert [list(state.clockwise_from(seat)) for seat in (0, 2, 3)] == [[1, 2, 3], [3, 0, 1], [0, 1, 2]]


def test_table_is_the_last_combination_played_or_clear() -> None:
    state = position("3S 5S", "4S 6S")
    assert state.table is None
    assert after(state, "3S", "4S").table == combination("4S")
    assert after(state, "3S", "4S", "pass").table is None
