"""States, actions, events and deals as JSON: what is written, and that it is read back."""

import json
from dataclasses import replace
from random import Random

import pytest

from rules.cards import SPELLINGS, decks
from rules.errors import InvalidAction, UnknownFormat
from rules.game import OtherGamesMove
from rules.options import values
from rules.shuffle import commitment
from rules.three_thirteen.arrangement import Arrangement, Meld
from rules.three_thirteen.notation import deal, dump, dump_action, dump_event, load, load_action
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, legal_actions, new_game
from rules.three_thirteen.rounds import start_round
from rules.three_thirteen.state import (
    Action,
    Discard,
    Discarded,
    Draw,
    Drew,
    Event,
    GameOver,
    GameStarted,
    GoOut,
    RoundEnded,
    RoundStarted,
    Scored,
    StockRefilled,
    WentOut,
)
from tests.rules.three_thirteen.playouts import play_out, seeded
from tests.rules.three_thirteen.positions import SEED, Piles, after, all_options, card, cards, position, texts

PILES: Piles = {"stock": "3C AS KD", "discards": "8S TC"}
SEVENS = Meld("set", cards("7S 7D 3C"), ("7S", "7D", "7"))
SEVENS_WRITTEN = {"type": "set", "cards": ["7S", "7D", "3C"], "represents": ["7S", "7D", "7"]}


def test_dump_writes_all_there_is() -> None:
    state = position("7S 7D 3C KH", "5S 8D QH", "6S 9D KC", **PILES, leftover_wild=20)
    state = after(replace(state, refills=2), "out KH", "draw discard")
    assert dump(state) == {
        "format": 1,
        "seed": SEED.hex(),
        "options": values(Options(leftover_wild=20)),
        "round": 1,
        "dealer": 2,
        "turn": 1,
        "phase": "discard",
        "hands": ["", "5S8DQHKH", "6SKC9D"],
        "stock": "3CASKD",
        "discards": "8STC",
        "points": [[], [], []],
        "taken": "KH",
        "refills": 2,
        "went_out": 0,
        "laid": [SEVENS_WRITTEN],
        "final_turns": 2,
    }
    assert load(json.loads(json.dumps(dump(state)))) == state


@pytest.mark.parametrize("players", range(2, 9))
def test_every_state_is_read_back_from_json_text(players: int) -> None:
    random = Random(players)
    for options in random.sample(all_options(players), 2):
        state = seeded(random, players, options).state
        assert load(json.loads(json.dumps(dump(state)))) == state
        for _, step in play_out(random, state, eager=0.5):
            assert load(json.loads(json.dumps(dump(step.state)))) == step.state


@pytest.mark.parametrize("players", range(2, 9))
def test_moves_from_json_text_replay_a_game_from_its_seed(players: int) -> None:
    random = Random(players)
    for options in random.sample(all_options(players), 2):
        start = seeded(random, players, options)
        moves, steps = [], [start]
        for action, step in play_out(random, start.state, eager=0.5):
            moves.append((action.seat, json.dumps(dump_action(action))))
            steps.append(step)
        again = new_game(players, start.state.seed, Options.build(values(options)))
        assert again == steps[0]
        for (seat, body), expected in zip(moves, steps[1:], strict=True):
            again = apply(again.state, load_action(seat, json.loads(body)))
            assert again == expected


@pytest.mark.parametrize("data", [{}, {"format": 2}, {"format": "1"}, {"format": None, "seed": ""}])
def test_a_format_that_is_not_known_is_not_read(data: dict[str, object]) -> None:
    with pytest.raises(UnknownFormat) as raised:
        load(data)
    assert raised.value.version == data.get("format")


def test_a_whole_state_of_another_format_is_not_read() -> None:
    with pytest.raises(UnknownFormat):
        load({**dump(position("7S 7D 3C", "5S 8D QH", **PILES)), "format": 2})


@pytest.mark.parametrize(
    ("action", "body"),
    [
        (Draw(1, "stock"), {"type": "draw", "from": "stock"}),
        (Draw(1, "discard"), {"type": "draw", "from": "discard"}),
        (Discard(1, card("TS")), {"type": "discard", "card": "TS"}),
        (GoOut(1, card("TS")), {"type": "go_out", "discard": "TS"}),
        (GoOut(1, card("TS"), ()), {"type": "go_out", "discard": "TS", "melds": []}),
        (
            GoOut(1, card("TS"), (cards("7S 7D 3C"), cards("AH 2H 3H"))),
            {"type": "go_out", "discard": "TS", "melds": [["7S", "7D", "3C"], ["AH", "2H", "3H"]]},
        ),
    ],
)
def test_actions_as_bodies(action: Action, body: dict[str, object]) -> None:
    assert dump_action(action) == body
    assert load_action(1, json.loads(json.dumps(body))) == action


def test_legal_actions_are_read_back_from_their_bodies() -> None:
    state = position("7S 7C 7D", "5S 8D QH", **PILES)
    for at in (state, after(state, "draw stock"), after(state, "draw discard")):
        for action in legal_actions(at, 0):
            assert load_action(0, json.loads(json.dumps(dump_action(action)))) == action


def test_melds_null_is_no_melds() -> None:
    assert load_action(2, {"type": "go_out", "discard": "TS", "melds": None}) == GoOut(2, card("TS"))


@pytest.mark.parametrize("text", [text for text, known in SPELLINGS.items() if known.text == "TH"])
def test_cards_of_a_body_may_be_spelled_in_any_way(text: str) -> None:
    assert load_action(3, {"type": "discard", "card": text}) == Discard(3, card("TH"))
    body = {"type": "go_out", "discard": text, "melds": [["9H", text, "jh"]]}
    assert load_action(3, body) == GoOut(3, card("TH"), (cards("9H TH JH"),))


@pytest.mark.parametrize("type_", ["play", "pass"])
def test_moves_of_the_other_game_are_known_as_such(type_: str) -> None:
    assert load_action(1, {"type": type_}) == OtherGamesMove(1, type_)


@pytest.mark.parametrize(
    ("body", "fault", "path"),
    [
        ({}, "missing_field", ("type",)),
        ({"type": 3}, "invalid_type", ("type",)),
        ({"type": "draw"}, "missing_field", ("from",)),
        ({"type": "draw", "from": "hand"}, "invalid_value", ("from",)),
        ({"type": "discard"}, "missing_field", ("card",)),
        ({"type": "discard", "card": "1S"}, "invalid_card", ("card",)),
        ({"type": "discard", "card": ""}, "invalid_card", ("card",)),
        ({"type": "discard", "card": ["3S"]}, "invalid_card", ("card",)),
        ({"type": "go_out"}, "missing_field", ("discard",)),
        ({"type": "go_out", "discard": "3X"}, "invalid_card", ("discard",)),
        ({"type": "go_out", "discard": "3S", "melds": "4S5S6S"}, "invalid_type", ("melds",)),
        ({"type": "go_out", "discard": "3S", "melds": 7}, "invalid_type", ("melds",)),
        ({"type": "go_out", "discard": "3S", "melds": [["4S"], 7]}, "invalid_type", ("melds", 1)),
        ({"type": "go_out", "discard": "3S", "melds": [[], ["4S", "1S"]]}, "invalid_card", ("melds", 1, 1)),
        ({"type": "go_out", "discard": "3S", "melds": [["4S", None]]}, "invalid_card", ("melds", 0, 1)),
    ],
)
def test_malformed_bodies(body: dict[str, object], fault: str, path: tuple[str | int, ...]) -> None:
    with pytest.raises(InvalidAction) as raised:
        load_action(0, body)
    assert (raised.value.fault, raised.value.path) == (fault, path)


HAND = cards("7S 8D")
SCORED = (
    Scored(0, cards("7S 7D 3C"), Arrangement(0, (SEVENS,), ())),
    Scored(1, HAND, Arrangement(15, (), ((HAND[0], 7), (HAND[1], 8)))),
)


@pytest.mark.parametrize(
    ("event", "seat", "written"),
    [
        (GameStarted(3, 2, 1), None, {"type": "game_started", "players": 3, "decks": 2, "dealer": 1}),
        (
            RoundStarted(8, 0, 1, card("TC"), 45, (cards("4S 7D"), cards("5S 8D"))),
            None,
            {
                "type": "round_started",
                "round": 8,
                "wild_rank": "T",
                "dealer": 0,
                "turn": 1,
                "discard_top": "TC",
                "stock": 45,
                "hands": [["4S", "7D"], ["5S", "8D"]],
            },
        ),
        (StockRefilled(9), None, {"type": "stock_refilled", "stock": 9}),
        (Drew(2, "stock", card("TC")), 2, {"type": "drew", "from": "stock", "card": "TC"}),
        (Discarded(0, card("TC")), 0, {"type": "discarded", "card": "TC"}),
        (
            WentOut(1, card("KH"), (SEVENS,)),
            1,
            {"type": "went_out", "discard": "KH", "melds": [SEVENS_WRITTEN]},
        ),
        (
            RoundEnded(1, SCORED, (0, 15)),
            None,
            {
                "type": "round_ended",
                "round": 1,
                "hands": [
                    {
                        "seat": 0,
                        "hand": ["7S", "7D", "3C"],
                        "melds": [SEVENS_WRITTEN],
                        "leftover": [],
                        "points": 0,
                    },
                    {
                        "seat": 1,
                        "hand": ["7S", "8D"],
                        "melds": [],
                        "leftover": [{"card": "7S", "points": 7}, {"card": "8D", "points": 8}],
                        "points": 15,
                    },
                ],
                "totals": [0, 15],
            },
        ),
        (GameOver((0, 2), (9, 30, 9)), None, {"type": "game_over", "winners": [0, 2], "totals": [9, 30, 9]}),
    ],
)
def test_events_as_json(event: Event, seat: int | None, written: dict[str, object]) -> None:
    assert json.loads(json.dumps(dump_event(event))) == {**written, "seat": seat}


@pytest.mark.parametrize(("players", "round_", "dealer"), [(2, 1, 0), (3, 8, 2), (8, 11, 5)])
def test_r3_r4_r5_deal_is_laid_open(players: int, round_: int, dealer: int) -> None:
    answer = deal(players, SEED, Options(), round=round_, dealer=dealer)
    state = start_round(SEED, Options(), round_, dealer, ((),) * players).state
    open_piles = {"discard": [*texts(state.discards)], "stock": [*texts(state.stock)]}
    assert {name: value for name, value in answer.items() if name != "hands"} == {
        "game": "three_thirteen",
        "players": players,
        "decks": (players + 1) // 2,
        "seed": SEED.hex(),
        "commitment": commitment(SEED),
        "round": round_,
        "wild_rank": "3456789TJQK"[round_ - 1],
        "dealer": dealer,
        "first_seat": (dealer + 1) % players,
        **open_piles,
    }
    assert [sorted(hand) for hand in answer["hands"]] == [sorted(texts(hand)) for hand in state.hands]
    all_cards = [text for part in (*answer["hands"], *open_piles.values()) for text in part]
    assert sorted(all_cards) == sorted(texts(decks(answer["decks"])))


def test_r4_deal_is_by_the_last_seat_unless_it_is_said() -> None:
    assert deal(3, SEED, Options(), round=4) == deal(3, SEED, Options(), round=4, dealer=2)


def test_deal_gives_the_hands_in_the_order_dealt() -> None:
    """Three cards each from seat 0 on, and the next card turned up; two players have the last six."""
    two, three = (deal(players, SEED, Options(decks=2), round=1) for players in (2, 3))
    pile = [two["hands"][place % 2][place // 2] for place in range(6)] + two["discard"] + two["stock"]
    assert [three["hands"][place % 3][place // 3] for place in range(9)] == pile[:9]
    assert three["discard"] + three["stock"] == pile[9:]


@pytest.mark.parametrize(("players", "count", "path"), [(1, None, ("players",)), (8, 2, ("rules", "decks"))])
def test_r1_deal_with_players_or_decks_that_can_not_be(
    players: int, count: int | None, path: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidAction) as raised:
        deal(players, SEED, Options(decks=count), round=1)
    assert (raised.value.fault, raised.value.path) == ("out_of_range", path)
