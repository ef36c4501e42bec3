"""The stateless questions: what they answer, and how they refuse what is malformed."""

from itertools import chain

import pytest

from rules.shuffle import commitment

VALIDATE = "/v1/thirteen/validate-play"
LEGAL = "/v1/thirteen/legal-plays"
SCORE = "/v1/three-thirteen/score-hand"
DISCARD = "/v1/three-thirteen/best-discard"
MELDS = "/v1/three-thirteen/validate-melds"
DEALS = "/v1/deals"
SEED = "00" * 32


def ask(client, path, **body):
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()


def faults(client, path, body):
    answer = client.post(path, json=body)
    assert answer.status_code == 422, answer.get_json()
    assert answer.get_json()["code"] == "invalid_request"
    return [(error["pointer"], error["code"]) for error in answer.get_json()["errors"]]


@pytest.mark.parametrize("spelling", ["TS", "10S", "ts", "10s", "T♠", "10♠", "t♠"])
def test_every_spelling_of_a_card_is_taken_and_one_is_given(client, spelling):
    assert ask(client, VALIDATE, cards=[spelling])["combination"]["cards"] == ["TS"]


@pytest.mark.parametrize(
    "text",
    ["", "3", "S3", "1S", "11S", "0S", "3X", "3SS", " 3S", "3S ", "3S\n", "3s\x00", "JOKER", "૩S", "3♤"],
)
def test_what_is_no_card_is_invalid(client, text):
    assert faults(client, VALIDATE, {"cards": ["4S", text]}) == [("/cards/1", "invalid_card")]


@pytest.mark.parametrize("value", [3, None, True, ["3S"], {"rank": "3"}, 3.5])
def test_what_is_no_text_is_of_the_wrong_type(client, value):
    assert faults(client, VALIDATE, {"cards": [value]}) == [("/cards/0", "invalid_type")]


@pytest.mark.parametrize(("field", "expected"), [("cards", "array"), ("hand", "array"), ("rules", "object")])
def test_null_is_told_what_is_expected_instead(client, field, expected):
    answer = client.post(VALIDATE, json={"cards": ["3S"], field: None})
    assert expected in answer.get_json()["errors"][0]["detail"]


def test_a_card_given_twice_is_told_at_the_second_whatever_its_spelling(client):
    assert faults(client, VALIDATE, {"cards": ["TS", "4S", "10s"]}) == [("/cards/2", "duplicate_card")]
    assert faults(client, LEGAL, {"hand": ["3S", "3S"]}) == [("/hand/1", "duplicate_card")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("/cards", "missing_field")]),
        ({"cards": "3S"}, [("/cards", "invalid_type")]),
        ({"cards": []}, [("/cards", "out_of_range")]),
        ({"cards": ["3S"] * 14}, [("/cards", "out_of_range")]),
        ({"cards": ["3S"], "extra/field~": 1}, [("/extra~1field~0", "unknown_field")]),
        ({"cards": ["3S"], "table": ["3S", "4S"]}, [("/table", "invalid_value")]),
        ({"cards": ["3S"], "hand": []}, [("/hand", "wrong_hand_size")]),
        ({"cards": ["3S"], "hand": None}, [("/hand", "invalid_type")]),
        ({"cards": ["3S"], "must_include": "ZZ"}, [("/must_include", "invalid_card")]),
        ({"cards": ["3S"], "rules": []}, [("/rules", "invalid_type")]),
        ({"cards": ["3S"], "rules": {"pass_lock": 1}}, [("/rules/pass_lock", "invalid_type")]),
        ({"cards": ["3S"], "rules": {"bombs": "many"}}, [("/rules/bombs", "invalid_value")]),
        ({"cards": ["3S"], "rules": {"aces": "low"}}, [("/rules/aces", "unknown_field")]),
        ({"cards": ["3S"], "rules": {"instant_wins": "dragon"}}, [("/rules/instant_wins", "invalid_type")]),
        ({"cards": ["3S"], "rules": {"instant_wins": ["x"]}}, [("/rules/instant_wins/0", "invalid_value")]),
        (
            {"cards": ["3S"], "rules": {"instant_wins": ["dragon"] * 2}},
            [("/rules/instant_wins", "invalid_value")],
        ),
        ({"cards": ["3S"], "rules": {"preset": "northern"}}, [("/rules/preset", "invalid_value")]),
    ],
)
def test_malformed_plays_are_told_where_and_why(client, body, expected):
    assert faults(client, VALIDATE, body) == expected


def test_all_faults_are_told_at_once_up_to_twenty(client):
    told = faults(client, VALIDATE, {"cards": ["X", "3S", "Y"], "table": 7, "more": 1})
    assert sorted(told) == [
        ("/cards/0", "invalid_card"),
        ("/cards/2", "invalid_card"),
        ("/more", "unknown_field"),
        ("/table", "invalid_type"),
    ]
    assert len(faults(client, VALIDATE, {f"field{n}": n for n in range(500)})) == 20


@pytest.mark.parametrize("table", [None, []])
def test_no_table_is_an_empty_table(client, table):
    assert ask(client, VALIDATE, cards=["3S"], table=table)["legal"]
    assert ask(client, LEGAL, hand=["3S"], table=table)["can_pass"] is False


def test_a_reason_has_a_code_a_message_and_the_values_behind_it(client):
    reason = ask(client, VALIDATE, cards=["3S"], table=["4S"])["reason"]
    assert reason["code"] == "too_low"
    assert "3♠" in reason["message"]
    assert "4♠" in reason["message"]
    assert set(reason["params"].values()) >= {"3S", "4S"}


def test_a_play_is_held_against_the_hand_and_the_card_it_must_include(client):
    play = {"cards": ["4S"], "hand": ["3S", "4C"]}
    assert ask(client, VALIDATE, **play)["reason"]["code"] == "card_not_in_hand"
    assert ask(client, VALIDATE, cards=["4S"], must_include="3S")["reason"]["code"] == "must_include_card"


def test_rule_options_are_applied_and_single_ones_override_the_preset(client):
    bomb = {"cards": ["5S", "5C", "5D", "5H"], "table": ["2S", "2C"]}
    assert ask(client, VALIDATE, **bomb)["legal"] is False
    assert ask(client, VALIDATE, **bomb, rules={"preset": "southern"})["legal"] is True
    assert ask(client, VALIDATE, **bomb, rules={"preset": "southern", "bombs": "exact"})["legal"] is False


@pytest.mark.parametrize(("path", "size"), [(SCORE, 5), (DISCARD, 6)])
def test_a_hand_has_the_rounds_size(client, path, size):
    hand = ["AS", "2S", "3S", "4S", "5S", "6S", "7S"]
    assert "penalty" in ask(client, path, hand=hand[:size], round=3)
    assert faults(client, path, {"hand": hand[: size - 1], "round": 3}) == [("/hand", "wrong_hand_size")]
    assert faults(client, path, {"hand": hand[: size + 1], "round": 3}) == [("/hand", "wrong_hand_size")]


@pytest.mark.parametrize(
    ("rounds", "code"), [(0, "out_of_range"), (12, "out_of_range"), ("3", "invalid_type")]
)
def test_there_are_eleven_rounds(client, rounds, code):
    assert faults(client, SCORE, {"hand": ["AS", "2S", "3S"], "round": rounds}) == [("/round", code)]


@pytest.mark.parametrize("rounds", [7.9, 1.0, True, None])
def test_a_round_is_a_json_integer(client, rounds):
    assert faults(client, SCORE, {"hand": ["AS", "2S", "3S"], "round": rounds}) == [
        ("/round", "invalid_type")
    ]


def test_a_card_occurs_as_often_as_there_are_decks(client):
    four = ["AS"] * 4
    assert ask(client, SCORE, hand=four, round=2)["penalty"] == 0
    assert faults(client, SCORE, {"hand": ["AS"] * 5, "round": 3}) == [("/hand/4", "duplicate_card")]
    assert ask(client, SCORE, hand=["AS"] * 5, round=3, rules={"decks": 5})["penalty"] == 0
    assert faults(client, SCORE, {"hand": ["AS", "AS", "2S"], "round": 1, "rules": {"decks": 1}}) == [
        ("/hand/1", "duplicate_card")
    ]


def test_best_discard_is_the_first_option_and_its_arrangement_is_shown(client):
    answer = ask(client, DISCARD, hand=["7H", "7S", "3C", "9D"], round=1)
    assert (answer["discard"], answer["penalty"], answer["can_go_out"]) == ("9D", 0, True)
    assert answer["options"][0] == {"discard": "9D", "penalty": 0}
    assert [meld["type"] for meld in answer["melds"]] == ["set"]
    assert answer["leftover"] == []


def test_a_wild_represents_what_it_stands_for(client):
    run = ask(client, SCORE, hand=["5S", "3H", "7S"], round=1)["melds"][0]
    assert (run["type"], run["cards"], run["represents"]) == ("run", ["5S", "3H", "7S"], ["5S", "6S", "7S"])
    same = ask(client, SCORE, hand=["7S", "3H", "7D"], round=1)["melds"][0]
    assert dict(zip(same["cards"], same["represents"], strict=True)) == {"7S": "7S", "3H": "7", "7D": "7D"}


def test_melds_are_checked_with_and_without_a_discard(client):
    hand = ["7H", "7S", "3C", "9D"]
    goes = ask(client, MELDS, hand=hand, round=1, melds=[["7H", "3C", "7S"]], discard="9D")
    assert (goes["legal"], goes["penalty"], goes["best_penalty"], goes["goes_out"]) == (True, 0, 0, True)
    stays = ask(client, MELDS, hand=hand[:3], round=1, melds=[])
    assert (stays["legal"], stays["penalty"], stays["best_penalty"], stays["goes_out"]) == (
        True,
        17,
        0,
        False,
    )
    twice = ask(client, MELDS, hand=hand, round=1, melds=[["7H", "3C", "7S"]], discard="7H")
    assert (twice["legal"], twice["reason"]["code"]) == (False, "wrong_discard")


def test_a_deal_is_reproduced_from_its_seed_and_differs_without_one(client):
    body = {"game": "thirteen", "players": 3}
    one = ask(client, DEALS, **body, seed=SEED)
    assert one == ask(client, DEALS, **body, seed=SEED)
    assert one["commitment"] == commitment(bytes(32))
    fresh = [ask(client, DEALS, **body) for _ in range(5)]
    assert len({deal["seed"] for deal in fresh}) == 5
    again = ask(client, DEALS, **body, seed=fresh[0]["seed"].upper())
    assert again == fresh[0]


def test_a_deal_of_thirteen_has_every_card_once(client):
    deal = ask(client, DEALS, game="thirteen", players=3)
    cards = [*chain(*deal["hands"]), *deal["undealt"]]
    assert len(cards) == len(set(cards)) == 52
    assert deal["lead_card"] in deal["hands"][deal["lead_seat"]]


def test_a_deal_of_three_thirteen_has_every_card_of_its_decks(client):
    deal = ask(client, DEALS, game="three_thirteen", players=5, round=4, dealer=1)
    cards = [*chain(*deal["hands"]), *deal["discard"], *deal["stock"]]
    assert (deal["decks"], len(cards), len(set(cards))) == (3, 156, 52)
    assert [len(hand) for hand in deal["hands"]] == [6] * 5
    assert (deal["wild_rank"], deal["dealer"], deal["first_seat"], len(deal["discard"])) == ("6", 1, 2, 1)
    assert ask(client, DEALS, game="three_thirteen", players=5, round=4)["dealer"] == 4


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, [("/game", "missing_field")]),
        ({"game": "poker"}, [("/game", "invalid_value")]),
        ({"game": 13}, [("/game", "invalid_type")]),
        ({"game": "thirteen"}, [("/players", "missing_field")]),
        ({"game": "thirteen", "players": 5}, [("/players", "out_of_range")]),
        ({"game": "thirteen", "players": 1}, [("/players", "out_of_range")]),
        ({"game": "thirteen", "players": "4"}, [("/players", "invalid_type")]),
        ({"game": "thirteen", "players": 4, "round": 1}, [("/round", "unknown_field")]),
        ({"game": "thirteen", "players": 4, "seed": "00"}, [("/seed", "invalid_value")]),
        ({"game": "thirteen", "players": 4, "seed": SEED + "\n"}, [("/seed", "invalid_value")]),
        ({"game": "three_thirteen", "players": 2}, [("/round", "missing_field")]),
        ({"game": "three_thirteen", "players": 9, "round": 1}, [("/players", "out_of_range")]),
        ({"game": "three_thirteen", "players": 2, "round": 1, "dealer": 2}, [("/dealer", "out_of_range")]),
        (
            {"game": "three_thirteen", "players": 8, "round": 1, "rules": {"decks": 2}},
            [("/rules/decks", "out_of_range")],
        ),
    ],
)
def test_malformed_deals_are_told_where_and_why(client, body, expected):
    assert faults(client, DEALS, body) == expected


def test_the_rules_can_be_read(client):
    games = client.get("/v1/rules").get_json()["games"]
    assert [game["game"] for game in games] == ["thirteen", "three_thirteen"]
    for game in games:
        clauses = client.get(game["clauses"]).get_json()
        assert clauses["game"] == game["game"]
        assert all(clause["text"] for clause in clauses["clauses"])
    bombs = next(option for option in games[0]["options"] if option["name"] == "bombs")
    assert (bombs["values"], bombs["default"]) == (["exact", "at_least", "southern"], "exact")
    assert games[0]["presets"]["southern"]["bomb_after_pass"] == "four_pairs"
