"""The options' defaults, the presets, and how single fields override them."""

import pytest

from rules.options import domains, values
from rules.thirteen.options import PRESETS, Options

CLASSIC = {
    "preset": "classic",
    "first_lead": "lowest_card_included",
    "pass_lock": True,
    "bombs": "exact",
    "bomb_after_pass": "none",
    "finish": "play_on",
    "instant_wins": [],
}
SOUTHERN = {
    **CLASSIC,
    "preset": "southern",
    "bombs": "southern",
    "bomb_after_pass": "four_pairs",
    "instant_wins": ["four_twos", "dragon", "six_pairs", "five_consecutive_pairs"],
}


def test_nothing_given_is_classic() -> None:
    assert values(Options.build({})) == CLASSIC
    assert Options() == PRESETS["classic"]


@pytest.mark.parametrize(("preset", "expected"), [("classic", CLASSIC), ("southern", SOUTHERN)])
def test_preset_names_a_set_of_values(preset: str, expected: dict[str, object]) -> None:
    assert values(Options.build({"preset": preset})) == expected
    assert values(PRESETS[preset]) == expected


def test_single_fields_override_the_preset() -> None:
    options = Options.build({"bombs": "at_least", "preset": "southern", "instant_wins": ["dragon"]})
    assert values(options) == {**SOUTHERN, "bombs": "at_least", "instant_wins": ["dragon"]}


def test_values_build_the_same_options_again() -> None:
    for options in PRESETS.values():
        assert Options.build(values(options)) == options


def test_each_option_has_the_values_of_the_rules_default_first() -> None:
    assert {name: domain.values for name, domain in domains(Options).items()} == {
        "preset": ("classic", "southern"),
        "first_lead": ("lowest_card_included", "lowest_card", "seat"),
        "pass_lock": (),
        "bombs": ("exact", "at_least", "southern"),
        "bomb_after_pass": ("none", "any", "four_pairs"),
        "finish": ("play_on", "first_out"),
        "instant_wins": ("four_twos", "dragon", "six_pairs", "five_consecutive_pairs"),
    }
