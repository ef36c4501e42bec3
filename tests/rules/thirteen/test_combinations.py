"""T3 to T11 on cards alone: the order, the combinations, what beats what, and why not."""

from itertools import combinations, permutations
from random import Random

import pytest

from rules.cards import DECK
from rules.errors import IllegalAction
from rules.thirteen.combinations import (
    ORDER,
    Combination,
    by_strength,
    can_be_bombed,
    classify,
    describe,
    refusal,
)
from rules.thirteen.options import Options
from tests.rules.thirteen import referee
from tests.rules.thirteen.positions import cards, combination, texts

PAIRS_3 = "3S 3C 4S 4C 5S 5C"
PAIRS_4 = PAIRS_3 + " 6S 6C"
PAIRS_5 = PAIRS_4 + " 7S 7C"
PAIRS_6 = PAIRS_5 + " 8S 8C"
QUAD = "7S 7C 7D 7H"
BOMBS = {"3 pairs": PAIRS_3, "quad": QUAD, "4 pairs": PAIRS_4, "5 pairs": PAIRS_5, "6 pairs": PAIRS_6}
TWOS = ("2S", "2C 2H", "2S 2C 2D", "2S 2C 2D 2H")


def beaten_by(table: str, bombs: str) -> set[str]:
    """The names of the bombs that beat the table."""
    options = Options(bombs=bombs)
    return {name for name, bomb in BOMBS.items() if why(bomb, table, options) is None}


def why(play: str, table: str | None, options: Options | None = None) -> IllegalAction | None:
    """The refusal of a play on a table."""
    chosen = cards(play)
    return refusal(chosen, classify(chosen), combination(table) if table else None, options or Options())


def test_t3_t4_rank_decides_then_suit() -> None:
    in_order = [rank + suit for rank in "3456789TJQKA2" for suit in "SCDH"]
    assert [card.text for card in ORDER] == in_order


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("3S", "single"),
        ("2H", "single"),
        ("7S 7H", "pair"),
        ("2S 2C", "pair"),
        ("AS AC AD", "triple"),
        ("2S 2C 2D 2H", "quad"),
        ("TS JC QD", "sequence"),
        ("TS JC QD KH AS", "sequence"),
        ("3S 4C 5D 6H 7S 8C 9D TH JS QC KD AH", "sequence"),
        (PAIRS_3, "double_sequence"),
        (PAIRS_4, "double_sequence"),
        (PAIRS_5, "double_sequence"),
        (PAIRS_6, "double_sequence"),
        ("QS QH KS KC AD AH", "double_sequence"),
    ],
)
def test_t6_combinations(text: str, type_: str) -> None:
    found = combination(text)
    assert (found.type, found.size) == (type_, len(text.split()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3S 4S",
        "3S 7D 8C",
        "3S 3C 4S",
        "3S 3C 4S 4C",
        "3S 3C 4S 4C 5S 6D",
        "3S 3C 4S 4C 6S 6C",
        "3S 3C 3D 3H 5S 5C",
        "3S 3C 3D 4S 4C 5S 5C",
        "3S 4S 5S 5C",
        "3S 3C 4S 4C 5S 5C 6S",
        "3S 3C 3D 4S 4C 4D",
        "3S 3S",
        "3S 3S 3S 3S 3S 3S 3S 3S",
    ],
)
def test_t6_nothing_else_is_a_combination(text: str) -> None:
    assert classify(cards(text)) is None
    refused = why(text, None)
    assert refused is not None
    assert refused.reason == "not_a_combination"


@pytest.mark.parametrize(
    "text", ["QS KC AD 2H", "AS 2C 3D", "2S 3S 4S", "KS KC AS AC 2S 2C", "AS AC 2S 2C 3S 3C", "QS KC AD 3H"]
)
def test_t7_twos_are_in_no_sequence_and_ranks_do_not_wrap(text: str) -> None:
    assert classify(cards(text)) is None


def test_t6_order_of_the_cards_does_not_matter() -> None:
    for shuffled in permutations(cards("5S 3C 4D 4H 3S 5C")):
        assert classify(shuffled) == combination("3S 3C 4D 4H 5S 5C")


def test_t6_t7_agree_with_the_definition_on_all_small_sets_of_high_cards() -> None:
    deck = [card for card in DECK if card.rank in "QKA2"]
    for size in range(8):
        for chosen in combinations(deck, size):
            assert same_as_defined(classify(chosen), texts(chosen))


def test_t6_t7_agree_with_the_definition_on_random_sets() -> None:
    random = Random(7)
    for _ in range(10_000):
        low = random.randrange(11)
        near = ORDER[4 * low : 4 * low + random.choice((4, 8, 12, 16, 24))]
        chosen = tuple(random.sample(near, random.randint(1, min(len(near), 13))))
        assert same_as_defined(classify(chosen), texts(chosen))


def same_as_defined(found: Combination | None, chosen: tuple[str, ...]) -> bool:
    """Whether `classify` found what the definition says."""
    expected = referee.combination(chosen)
    if found is None or expected is None:
        return found is None and expected is None
    in_order = tuple(sorted(chosen, key=referee.strength))
    return (found.type, found.size, found.high_card.text, texts(found.cards)) == (*expected, in_order)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("7H 7S", "7D 7C"),
        ("3S 4S 5C", "3H 4H 5S"),
        ("5S", "4H"),
        ("2H", "2S"),
        ("2S", "AH"),
        ("9S 9C 9D 9H", "5S 5C 5D 5H"),
        ("4S 4C 4D", "3C 3D 3H"),
        ("3D 3H 4D 4H 5D 5H", PAIRS_3),
    ],
)
def test_t9_the_highest_card_decides(higher: str, lower: str) -> None:
    assert why(higher, lower) is None
    refused = why(lower, higher)
    assert refused is not None
    assert refused.reason == "too_low"


def test_t9_pair_of_the_same_rank_needs_the_highest_suit() -> None:
    refused = why("4S 4C", "4H 4D")
    assert refused is not None
    assert refused.params == {"high_card": "4C", "table_high_card": "4H"}


def test_t8_anything_may_be_led() -> None:
    assert all(why(text, None) is None for text in (*BOMBS.values(), *TWOS, "3S", "3S 4S 5S"))


@pytest.mark.parametrize(
    ("bombs", "on_twos"),
    [
        ("exact", [{"3 pairs", "quad"}, {"4 pairs"}, {"5 pairs"}, set()]),
        ("at_least", [{*BOMBS}, {"4 pairs", "5 pairs", "6 pairs"}, {"5 pairs", "6 pairs"}, set()]),
        (
            "southern",
            [
                {*BOMBS},
                {"quad", "4 pairs", "5 pairs", "6 pairs"},
                {"5 pairs", "6 pairs"},
                {"4 pairs", "5 pairs", "6 pairs"},
            ],
        ),
    ],
)
def test_t10_bombs_on_twos(bombs: str, on_twos: list[set[str]]) -> None:
    assert [beaten_by(table, bombs) for table in TWOS] == on_twos


@pytest.mark.parametrize("bombs", ["exact", "at_least"])
def test_t10_t11_a_quad_of_twos_is_beaten_by_nothing(bombs: str) -> None:
    assert not can_be_bombed(combination(TWOS[3]), Options(bombs=bombs))
    assert why(TWOS[3], "AS AC AD AH", Options(bombs=bombs)) is None


@pytest.mark.parametrize("bombs", ["exact", "at_least", "southern"])
@pytest.mark.parametrize("table", ["AS", "AS AC", "KS KC KD", "QS KS AS", "TS JS QS KS AS"])
def test_t11_bombs_beat_only_twos(bombs: str, table: str) -> None:
    assert beaten_by(table, bombs) == set()


@pytest.mark.parametrize("bombs", ["exact", "at_least"])
def test_t11_a_bomb_is_beaten_by_its_own_type_and_size_alone(bombs: str) -> None:
    assert beaten_by("3S 3C 3D 3H", bombs) == {"quad"}
    assert beaten_by(QUAD, bombs) == set()
    assert beaten_by("QS QC KS KC AS AC", bombs) == set()
    assert why("4S 4C 5S 5C 6S 6C", PAIRS_3, Options(bombs=bombs)) is None


def test_southern_bombs_climb_a_ladder() -> None:
    ladder = list(BOMBS)
    for place, name in enumerate(ladder):
        assert beaten_by(BOMBS[name], "southern") == {*ladder[place + 1 :]}
    assert why("8S 8C 8D 8H", QUAD, Options(bombs="southern")) is None


def samples() -> list[Combination]:
    """Of every type, size and rank, one combination with the lowest suits and one with the highest."""
    found = []
    for low in range(13):
        for each, widths in ((1, (1, *range(3, 13))), (2, (1, 3, 4, 5, 6)), (3, (1,)), (4, (1,))):
            for width in widths:
                for suits in (slice(0, each), slice(4 - each, 4)):
                    ranks = [ORDER[4 * rank : 4 * rank + 4] for rank in range(low, min(low + width, 13))]
                    found.append(classify([card for rank in ranks for card in rank[suits]]))
    return [c for c in found if c is not None]


@pytest.mark.parametrize("bombs", ["exact", "at_least", "southern"])
def test_t9_t10_t11_agree_with_the_definition_on_all_kinds(bombs: str) -> None:
    options = Options(bombs=bombs)
    plain = [(c, defined(c)) for c in samples()]
    for play, expected_play in plain:
        for table, expected_table in plain:
            refused = refusal(play.cards, play, table, options)
            allowed = referee.beats(expected_play, expected_table, bombs)
            assert (refused is None) == allowed, (play, table)


def defined(c: Combination) -> referee.Combination:
    """The same by the definition."""
    found = referee.combination(texts(c.cards))
    assert found is not None
    return found


@pytest.mark.parametrize("bombs", ["exact", "at_least", "southern"])
def test_can_be_bombed_says_whether_some_bomb_beats_the_table(bombs: str) -> None:
    options = Options(bombs=bombs)
    for table in samples():
        assert can_be_bombed(table, options) == referee.open_to_bombs(texts(table.cards), bombs), table


@pytest.mark.parametrize(
    ("play", "table", "reason", "params"),
    [
        ("3S 4S 5S", "3C", "wrong_type", {"type": "sequence", "table_type": "single"}),
        (QUAD, "AS", "bomb_does_not_apply", {"type": "quad", "table_type": "single"}),
        (PAIRS_4, "2S", "bomb_does_not_apply", {"type": "double_sequence", "table_type": "single"}),
        (PAIRS_4, PAIRS_3, "wrong_size", {"size": 8, "table_size": 6}),
        ("3S 4S 5S 6S", "3C 4C 5C", "wrong_size", {"size": 4, "table_size": 3}),
        ("3S 4S 5S 6S", "4C 4D 4H", "wrong_type", {"type": "sequence", "table_type": "triple"}),
        ("3S", "4S", "too_low", {"high_card": "3S", "table_high_card": "4S"}),
    ],
)
def test_reasons_against_the_table(play: str, table: str, reason: str, params: dict[str, object]) -> None:
    refused = why(play, table)
    assert refused is not None
    assert (refused.reason, refused.params) == (reason, params)


def test_reasons_before_the_table_come_in_order() -> None:
    table, hand, must = combination("KS"), cards("3S 4S 5S"), cards("3S")[0]
    reasons = []
    for text in ("3S 9H", "3S 4S", "4S", "3S"):
        refused = refusal(cards(text), classify(cards(text)), table, Options(), hand, must)
        assert refused is not None
        reasons.append((refused.reason.value, refused.params))
    assert reasons == [
        ("card_not_in_hand", {"card": "9H"}),
        ("not_a_combination", {}),
        ("must_include_card", {"card": "3S"}),
        ("too_low", {"high_card": "3S", "table_high_card": "KS"}),
    ]


def test_by_strength_sorts_weakest_first() -> None:
    assert texts(by_strength(cards("2S AH 3H 3S TD 9H"))) == ("3S", "3H", "9H", "TD", "AH", "2S")


def test_describe_names_type_size_cards_and_high_card() -> None:
    assert describe(combination("5H 3S 4D")) == {
        "type": "sequence",
        "size": 3,
        "cards": ["3S", "4D", "5H"],
        "high_card": "5H",
    }
