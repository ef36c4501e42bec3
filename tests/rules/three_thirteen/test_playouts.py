"""Whole games and single rounds under all options, every step of them judged by `referee.py`."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest

from rules.cards import DECK, parse_card
from rules.errors import IllegalAction
from rules.three_thirteen.melds import arrange, discards
from rules.three_thirteen.notation import dump_action, dump_event, load_action
from rules.three_thirteen.options import Options
from rules.three_thirteen.play import apply, legal_actions
from rules.three_thirteen.state import AnyAction, Draw, GameOver, GoOut, RoundEnded, State
from tests.rules.three_thirteen.melding import bare, in_order, is_sound, less
from tests.rules.three_thirteen.playouts import Played, play_out, play_round, seeded, seeded_round
from tests.rules.three_thirteen.positions import FEWEST_DECKS, all_options, texts
from tests.rules.three_thirteen.referee import Moment, Move, Referee, decks

RECORDINGS = sorted((Path(__file__).parents[1] / "playthroughs").glob("three_thirteen_*.json"))


@pytest.mark.parametrize("players", range(2, 9))
def test_r3_to_r14_whole_games_agree_with_the_referee(players: int) -> None:
    random = Random(players)
    options = random.choice(all_options(players))
    start = seeded(random, players, options)
    referee = Referee(start.state.seed, players, options)
    assert [dump_event(event) for event in start.events] == referee.begin()
    judge(random, referee, start.state, play_out(random, start.state, eager=0.7))


@pytest.mark.parametrize("players", range(2, 9))
def test_r3_to_r14_rounds_under_all_options_agree_with_the_referee(players: int) -> None:
    random = Random(f"rounds {players}")
    for options in all_options(players):
        round_ = random.choice((1, 2, 3, 4, 5, 6, 8, 10, 11))
        state = seeded_round(random, players, options, round_)
        referee = Referee(state.seed, players, options, round_, state.dealer)
        judge(random, referee, state, play_round(random, state, eager=random.choice((1, 1, 0.3))))


@pytest.mark.parametrize("players", [2, 3, 7])
def test_r14_rounds_in_which_the_stock_runs_out_agree_with_the_referee(players: int) -> None:
    random = Random(f"refills {players}")
    options = Options(decks=FEWEST_DECKS[players])
    state = seeded_round(random, players, options, 11)
    referee = Referee(state.seed, players, options, 11, state.dealer)
    game = islice(play_round(random, state, eager=0), 240)
    assert judge(random, referee, state, game).refills > 1


def judge(random: Random, referee: Referee, state: State, game: Iterable[Played]) -> State:
    """Looks at each state of a game or a round, and at what is told of each step; returns the last state."""
    moment = check(random, state, referee)
    for action, step in game:
        told = [dump_event(event) for event in step.events]
        assert [bare(event) for event in told] == referee.record(moment, dump_action(action))
        assert all(is_sound(event, moment.round, moment.rules) for event in told)
        state = step.state
        moment = check(random, state, referee)
    return state


def check(random: Random, state: State, referee: Referee) -> Moment:
    """The state is as the referee finds it, and allows and refuses what the referee does."""
    moment = referee.moment()
    assert [texts(hand) for hand in state.hands] == [tuple(in_order(hand)) for hand in moment.hands]
    assert (texts(state.stock), texts(state.discards)) == (tuple(moment.stock), tuple(moment.discards))
    laid = [card.text for meld in state.laid for card in meld.cards]
    taken = state.taken.text if state.taken else None
    assert (state.went_out, in_order(laid), taken) == (moment.went_out, in_order(moment.laid), moment.taken)
    assert (state.round, state.turn, state.phase) == (moment.round, moment.turn, moment.phase)
    assert (state.refills, state.final_turns) == (moment.refills, moment.left or 0)
    assert (state.dealer, state.points) == (referee.seat(-1), tuple(map(tuple, referee.points)))
    for seat in {state.turn or 0, random.randrange(state.players)}:
        check_moves(random, state, moment, seat)
    return moment


def check_moves(random: Random, state: State, moment: Moment, seat: int) -> None:
    """What `legal_actions` has is accepted, and all else that is tried is refused for the right reason."""
    legal = legal_actions(state, seat)
    assert all(outcome(state, action) is None for action in legal)
    allowed: list[Move] = [dump_action(action) for action in legal]
    for move in tries(random, moment, seat):
        refused = moment.reason(seat, move)
        assert outcome(state, load_action(seat, move)) == refused
        assert "melds" in move or allowed.count(move) == (refused is None)


def outcome(state: State, action: AnyAction) -> str | None:
    """The reason for which `apply` refuses the action, None where it does not."""
    try:
        apply(state, action)
    except IllegalAction as refused:
        return refused.reason
    return None


def tries(random: Random, moment: Moment, seat: int) -> list[Move]:
    """What to try: some of all moves there are, with cards of the hand and others, and melds to lay."""
    hand = moment.hands[seat]
    known = [*hand, *(card.text for card in random.sample(DECK, 2))]
    moves: list[Move] = [{"type": "draw", "from": pile} for pile in ("stock", "discard")]
    moves += [{"type": "discard", "card": card} for card in known]
    moves += [{"type": "go_out", "discard": card} for card in known]
    moves += [{"type": "pass"}, {"type": "play", "cards": known[:1]}]
    if seat != moment.turn:
        return random.sample(moves, 1)
    return [*random.sample(moves, 5), way_out(random, moment, hand)]


def way_out(random: Random, moment: Moment, hand: list[str]) -> Move:
    """Melds to lay down: often all that there are, at times too few, or with a card too few or too many."""
    held = [parse_card(card) for card in hand]
    best = discards(held, moment.round, moment.rules)[0].discard.text
    discard = best if random.random() < 0.7 else random.choice(hand)
    kept = [parse_card(card) for card in less(hand, discard)]
    melds = [[card.text for card in meld.cards] for meld in arrange(kept, moment.round, moment.rules).melds]
    for meld in melds:
        random.shuffle(meld)
    match random.randrange(9):
        case 0:
            melds.append(random.sample(hand, 3))
        case 1:
            melds = [[*meld, discard] for meld in melds]
        case 2:
            melds = [meld[1:] for meld in melds]
        case 3:
            melds = [*melds, [random.choice(DECK).text] * 3]
        case 4:
            melds = melds[1:]
    return {"type": "go_out", "discard": discard, "melds": melds}


@pytest.mark.parametrize("players", range(2, 9))
def test_r1_cards_are_conserved(players: int) -> None:
    random = Random(f"cards {players}")
    for options in (Options(), *random.sample(all_options(players), 2)):
        state = seeded(random, players, options).state
        all_cards = Counter(DECK * decks(players, options))
        for _, step in play_out(random, state, eager=0.5):
            now = step.state
            laid = [card for meld in now.laid for card in meld.cards]
            assert Counter([*chain(*now.hands), *now.stock, *now.discards, *laid]) == all_cards


@pytest.mark.parametrize("players", range(2, 9))
def test_r3_r13_games_of_players_who_want_to_win_end_after_eleven_rounds(players: int) -> None:
    random = Random(players)
    game = [*play_out(random, seeded(random, players, Options()).state)]
    events = [event for _, step in game for event in step.events]
    assert [event.round for event in events if isinstance(event, RoundEnded)] == [*range(1, 12)]
    assert isinstance(events[-1], GameOver)
    assert sum(isinstance(action, GoOut) for action, _ in game) == 11
    assert all(isinstance(action, Draw) for action, _ in game[::2])


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recorded_games_agree_with_the_referee(path: Path) -> None:
    game = json.loads(path.read_text(encoding="utf-8"))
    rules = Options.build(game["rules"])
    referee = Referee(bytes.fromhex(game["seed"]), game["players"], rules)
    assert game["events"][0] == referee.begin()
    for made, told in zip(game["moves"], game["events"][1:], strict=True):
        moment = referee.moment()
        assert moment.reason(made["seat"], made["move"]) is None
        assert [bare(event) for event in told] == referee.record(moment, made["move"])
        assert all(is_sound(event, moment.round, rules) for event in told)
    assert referee.moment().turn is None
