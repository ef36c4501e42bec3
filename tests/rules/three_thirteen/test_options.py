"""The options' defaults and values; there are no presets."""

import pytest

from rules.options import domains, values
from rules.three_thirteen import PRESETS
from rules.three_thirteen.options import Options
from tests.rules.three_thirteen.positions import all_options

DEFAULTS = {"aces": "low", "decks": None, "leftover_wild": None, "take_back": True}


def test_nothing_given_is_the_rule_as_the_clauses_state_it() -> None:
    assert values(Options.build({})) == values(Options()) == DEFAULTS


@pytest.mark.parametrize(
    "fields",
    [{"aces": "low_or_high"}, {"decks": 8, "take_back": False}, {"leftover_wild": 0}, {"leftover_wild": 50}],
)
def test_fields_given_are_taken(fields: dict[str, object]) -> None:
    assert values(Options.build(fields)) == {**DEFAULTS, **fields}


def test_values_build_the_same_options_again() -> None:
    for options in all_options(4):
        assert Options.build(values(options)) == options


def test_there_are_no_presets() -> None:
    assert PRESETS == {}


def test_each_option_has_the_values_of_the_rules_default_first() -> None:
    known = domains(Options)
    assert [*known] == ["aces", "decks", "leftover_wild", "take_back"]
    assert known["aces"].values == ("low", "low_or_high")
    assert known["take_back"].kind == "flag"
    decks, leftover_wild = known["decks"], known["leftover_wild"]
    assert (decks.minimum, decks.maximum, decks.nullable) == (1, 8, True)
    assert (leftover_wild.minimum, leftover_wild.maximum, leftover_wild.nullable) == (0, 50, True)


@pytest.mark.parametrize(("aces", "high"), [("low", False), ("low_or_high", True)])
def test_r12_aces_tell_whether_an_ace_may_stand_above_the_king(aces: str, high: bool) -> None:
    assert Options(aces=aces).high_aces is high


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 2), (8, 4)])
def test_r1_decks_null_is_half_the_players_rounded_up(players: int, decks: int) -> None:
    assert Options().deck_count(players) == decks
    assert Options(decks=7).deck_count(players) == 7
