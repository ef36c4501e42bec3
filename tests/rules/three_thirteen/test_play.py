"""R4 to R6 and R14 in play: the start, draws and discards, the stock, refusals.

The hands are those of round 1, where the 3s are wild, unless it is said.
"""

from dataclasses import replace
from random import Random

import pytest

from rules.errors import IllegalAction, InvalidAction
from rules.game import OtherGamesMove
from rules.three_thirteen.dealing import deal_round
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, finished, legal_actions, new_game
from rules.three_thirteen.state import (
    Discarded,
    Draw,
    Drew,
    Event,
    GameStarted,
    RoundStarted,
    StockRefilled,
    by_suit,
)
from tests.rules.three_thirteen.playouts import seeded_round
from tests.rules.three_thirteen.positions import (
    SEED,
    Piles,
    action,
    after,
    card,
    cards,
    played,
    position,
    reason,
    refusal,
    texts,
)
from tests.rules.three_thirteen.referee import dealer_by_lot, decks, shuffled

HANDS = ("4S 7D JH", "5S 8D QH", "6S 9D KH")
PILES: Piles = {"stock": "2C AS KD", "discards": "8S TC"}


@pytest.mark.parametrize("players", range(2, 9))
def test_r4_r5_a_new_game_starts_with_round_1_left_of_a_dealer_by_lot(players: int) -> None:
    step = new_game(players, SEED, Options())
    state, dealer = step.state, dealer_by_lot(SEED, players)
    left, dealt = (dealer + 1) % players, deal_round(players, SEED, Options(), 1, dealer)
    assert (state.round, state.dealer, state.turn, state.phase) == (1, dealer, left, "draw")
    assert state.hands == tuple(by_suit(hand) for hand in dealt.hands)
    assert (state.stock, state.discards) == (dealt.stock, (dealt.turned_up,))
    assert (state.points, finished(state)) == (((),) * players, False)
    assert step.events == (
        GameStarted(players, decks(players, Options()), dealer),
        RoundStarted(1, dealer, left, dealt.turned_up, len(dealt.stock), state.hands),
    )


@pytest.mark.parametrize(
    ("players", "options", "path"),
    [(1, Options(), ("players",)), (9, Options(), ("players",)), (4, Options(decks=1), ("rules", "decks"))],
)
def test_r1_no_game_with_a_number_of_players_or_decks_that_can_not_be(
    players: int, options: Options, path: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidAction) as raised:
        new_game(players, SEED, options)
    assert (raised.value.fault, raised.value.path) == ("out_of_range", path)


@pytest.mark.parametrize("seat", [0, 1, 5])
def test_r4_the_first_seat_can_not_be_chosen(seat: int) -> None:
    with pytest.raises(InvalidAction) as raised:
        new_game(2, SEED, Options(), seat)
    assert (raised.value.fault, raised.value.path) == ("invalid_value", ("first_seat",))


def test_r6_draw_takes_the_top_of_the_stock() -> None:
    state, events = played(position(*HANDS, **PILES), "draw stock")
    assert events == (Drew(0, "stock", card("2C")),)
    assert (state.hands[0], state.stock) == (cards("4S 2C 7D JH"), cards("AS KD"))
    assert (state.discards, state.turn, state.phase) == (cards("8S TC"), 0, "discard")
    assert state.hands[1:] == position(*HANDS).hands[1:]


def test_r6_draw_takes_the_top_of_the_discard_pile() -> None:
    state, events = played(position(*HANDS, **PILES), "draw discard")
    assert events == (Drew(0, "discard", card("TC")),)
    assert (state.hands[0], state.discards) == (cards("4S TC 7D JH"), cards("8S"))
    assert (state.stock, state.turn, state.phase) == (cards("2C AS KD"), 0, "discard")


def test_r6_a_discard_goes_on_top_and_ends_the_turn() -> None:
    state, events = played(position(*HANDS, **PILES), "draw stock", "discard 7D")
    assert events == (Discarded(0, card("7D")),)
    assert (state.hands[0], state.discards) == (cards("4S 2C JH"), cards("8S TC 7D"))
    assert (state.turn, state.phase) == (1, "draw")


def test_r6_of_identical_cards_one_is_discarded() -> None:
    state = after(position("7D 7D JH", "5S 8D QH", **PILES), "draw stock", "discard 7D")
    assert (state.hands[0], state.discards[-1]) == (cards("2C 7D JH"), card("7D"))


def test_r6_first_a_draw_then_a_discard() -> None:
    state = position(*HANDS, **PILES)
    assert refusal(state, "discard 7D") == ("wrong_phase", {"phase": "draw"})
    assert refusal(state, "out 7D") == ("wrong_phase", {"phase": "draw"})
    state = after(state, "draw stock")
    assert refusal(state, "draw stock") == ("wrong_phase", {"phase": "discard"})
    assert refusal(state, "draw discard") == ("wrong_phase", {"phase": "discard"})


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_r4_play_is_clockwise(turn: int) -> None:
    state = position(*HANDS, turn=turn, stock="2C AS KD 2D 6C 8H", discards="TC")
    turns = []
    for _ in range(6):
        turns.append(state.turn)
        state = after(state, "draw stock", f"discard {state.stock[0]}")
    assert turns == [*range(turn, 3), 0, 1, 2, 0, 1, 2][:6]


def test_r14_an_empty_stock_is_made_of_all_discards_but_the_top_one() -> None:
    state = position(*HANDS, discards="8S 2C 9H 9H TC")
    stock = shuffled(SEED, "three_thirteen/round/1/refill/1", ("8S", "2C", "9H", "9H"))
    state, events = played(state, "draw stock")
    assert events == (StockRefilled(4), Drew(0, "stock", card(stock[0])))
    assert (texts(state.stock), texts(state.discards)) == (stock[1:], ("TC",))


def test_r14_only_when_a_card_is_to_be_drawn_from_it() -> None:
    state = position(*HANDS, stock="2C", discards="8S TC")
    emptied = after(state, "draw stock", "discard 2C")
    assert (emptied.stock, emptied.discards) == ((), cards("8S TC 2C"))
    state, events = played(emptied, "draw discard")
    assert events == (Drew(1, "discard", card("2C")),)
    assert (state.stock, state.discards) == ((), cards("8S TC"))


def test_r14_one_discard_below_the_top_is_enough() -> None:
    state, events = played(position(*HANDS, discards="8S TC"), "draw stock")
    assert events == (StockRefilled(1), Drew(0, "stock", card("8S")))
    assert (state.stock, state.discards) == ((), cards("TC"))


def test_r14_no_such_pile_without_another_discard() -> None:
    state = position(*HANDS, discards="TC")
    assert refusal(state, "draw stock") == ("no_such_pile", {"pile": "stock"})
    assert legal_actions(state, 0) == (Draw(0, "discard"),)


def test_r6_no_such_pile_where_there_are_no_discards() -> None:
    state = position(*HANDS, stock="2C")
    assert refusal(state, "draw discard") == ("no_such_pile", {"pile": "discard"})
    assert legal_actions(state, 0) == (Draw(0, "stock"),)
    assert reason(position(*HANDS), "draw stock") == "no_such_pile"


@pytest.mark.parametrize(("players", "stock"), [(2, 25), (3, 12), (7, 12)])
def test_r14_several_refills_in_a_round_each_under_its_own_label(players: int, stock: int) -> None:
    """Everybody draws from the stock and discards that card, so all discards are known."""
    state = seeded_round(Random(players), players, Options(decks=(players + 4) // 4), 11)
    left, discards, refills = [*texts(state.stock)], [*texts(state.discards)], 0
    assert len(left) == stock
    for _ in range(5 * stock):
        told: tuple[Event, ...] = ()
        if not left:
            refills += 1
            label = f"three_thirteen/round/11/refill/{refills}"
            left, discards = [*shuffled(state.seed, label, tuple(discards[:-1]))], discards[-1:]
            told = (StockRefilled(len(left)),)
        drawn, seat = left.pop(0), state.turn or 0
        state, events = played(state, "draw stock")
        assert events == (*told, Drew(seat, "stock", card(drawn)))
        state = after(state, f"discard {drawn}")
        discards.append(drawn)
        assert (texts(state.stock), texts(state.discards)) == (tuple(left), tuple(discards))
    assert state.refills == refills == 4


def test_reasons_in_order() -> None:
    over = replace(position(*HANDS, **PILES), turn=None)
    for text in ("draw stock", "discard 2C", "out 2C"):
        assert [refusal(over, text, seat) for seat in (0, 1)] == [("game_over", {})] * 2
    state = position(*HANDS, stock="2C")
    for text in ("draw discard", "discard 2C", "out 2C"):
        assert refusal(state, text, 1) == ("not_your_turn", {"turn": 0})
    assert [reason(state, text) for text in ("discard AS", "out AS")] == ["wrong_phase"] * 2
    state = after(state, "draw stock")
    assert reason(state, "draw discard") == "wrong_phase"
    assert refusal(state, "discard AS") == ("card_not_in_hand", {"card": "AS"})


@pytest.mark.parametrize("seat", [-1, 3, 7])
def test_a_seat_that_is_none_never_has_the_turn(seat: int) -> None:
    state = position(*HANDS, **PILES)
    assert reason(state, "draw stock", seat) == "not_your_turn"
    assert legal_actions(state, seat) == ()


@pytest.mark.parametrize("type_", ["play", "pass"])
def test_a_move_of_the_other_game_is_refused_in_its_turn(type_: str) -> None:
    state = position(*HANDS, **PILES)
    cases = [(state, 1, "not_your_turn"), (state, 0, "wrong_move_for_game")]
    cases += [
        (after(state, "draw stock"), 0, "wrong_move_for_game"),
        (replace(state, turn=None), 0, "game_over"),
    ]
    for at, seat, expected in cases:
        with pytest.raises(IllegalAction) as raised:
            apply(at, OtherGamesMove(seat, type_))
        assert raised.value.reason == expected


def test_legal_actions_are_those_of_the_seat_whose_turn_it_is() -> None:
    state = position("7S 7C 7S", "5S 8D QH", stock="7D", discards="TC 2C")
    assert legal_actions(state, 1) == ()
    assert legal_actions(state, 0) == (Draw(0, "stock"), Draw(0, "discard"))
    state = after(state, "draw stock")
    expected = ["discard 7S", "discard 7C", "discard 7D", "out 7S", "out 7C", "out 7D"]
    assert {*legal_actions(state, 0)} == {action(0, text) for text in expected}
    assert len(legal_actions(state, 0)) == len(expected)
    assert legal_actions(replace(state, turn=None), 0) == ()
