"""The commands: `serve`, and for people without curl `deal`, `check`, `score` and `verify`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from textwrap import dedent
from typing import NoReturn

from service import __version__
from service.cli.output import Output, Refused

EXAMPLES = """
    examples:
      thirteens                                       serve on http://127.0.0.1:8000
      thirteens deal thirteen --players 4
      thirteens check 7S 7H --table 7C 7D             does it beat the table?
      thirteens score --round 4 KH KD 2S 3S 5S 6C     the fewest penalty points
      thirteens verify http://127.0.0.1:8000/v1/games/ID

    `thirteens COMMAND --help` tells more.
"""
SERVE_EXAMPLES = """
    Settings come from the environment; the README lists them.

    examples:
      thirteens serve
      PORT=9000 REDIS_URL=redis://127.0.0.1:6379/0 thirteens serve
"""
DEAL_EXAMPLES = """
    examples:
      thirteens deal thirteen --players 4
      thirteens deal three_thirteen --players 2 --round 3
      thirteens deal thirteen --players 2 --seed "$(openssl rand -hex 32)"
"""
CHECK_EXAMPLES = """
    The exit code is 0 for a legal play, 1 for an illegal one.

    examples:
      thirteens check 7S 7H --table 7C 7D
      thirteens check 5S 5C 5D 5H --table 2S 2C --rule preset=southern
"""
SCORE_EXAMPLES = """
    examples:
      thirteens score --round 4 KH KD 2S 3S 5S 6C
      thirteens score --round 4 KH KD 2S 3S 5S 6C QD  with the card drawn: which one to discard?
"""
VERIFY_EXAMPLES = """
    The exit code is 0 where everything holds, 1 where something does not.

    examples:
      thirteens verify http://127.0.0.1:8000/v1/games/ID
      thirteens verify game.json events.json          what GET …/ID and GET …/ID/events answered
"""
CARDS = "cards, as 7H, 10S, qd or 3♠"


class Parser(argparse.ArgumentParser):
    """A parser that tells a fault in one line, and exits with 2 as for every question without an answer."""

    def error(self, message: str) -> NoReturn:
        """Tells the fault, and where to read on."""
        self.exit(2, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Carries out a command; the exit code.

    0: done, or yes. 1: no (an illegal play, a game that does not check), or for `serve` no store. 2: not
    understood.
    """
    asked = _parser().parse_args(arguments)
    carry_out: Callable[[argparse.Namespace, Output], int] = resolve_name(asked.carry_out)
    try:
        return carry_out(asked, Output(sys.stdout, asked.json))
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 2


def _parser() -> Parser:
    """What carries out a command is named, not imported: the launcher needs no application, nor that it."""
    parser = Parser("thirteens", description="The rules of Thirteen and Three Thirteen.")
    _tell(parser, EXAMPLES, "service.launcher:run")
    parser.add_argument("--version", action="version", version=f"thirteens {__version__}")
    parser.set_defaults(json=False)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")
    serve = commands.add_parser("serve", help="serve over HTTP (as without a command)")
    _tell(serve, SERVE_EXAMPLES, "service.launcher:run")
    for name, help_, fill, examples in (
        ("deal", "shuffle and deal", _deal, DEAL_EXAMPLES),
        ("check", "may these cards be played?", _check, CHECK_EXAMPLES),
        ("score", "the fewest penalty points of a hand", _score, SCORE_EXAMPLES),
        ("verify", "check a finished game", _verify, VERIFY_EXAMPLES),
    ):
        command = commands.add_parser(name, help=help_)
        fill(command)
        command.add_argument("--json", action="store_true", help="print JSON, as the API answers it")
        _tell(command, examples, f"service.cli.{'verify' if name == 'verify' else 'answers'}:{name}")
    return parser


def _tell(parser: argparse.ArgumentParser, examples: str, carry_out: str) -> None:
    parser.epilog = dedent(examples).strip()
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.set_defaults(carry_out=carry_out)


def _rules(parser: argparse.ArgumentParser) -> None:
    help_ = "a rule option, such as bombs=southern; again for more"
    parser.add_argument("--rule", action="append", default=[], metavar="NAME=VALUE", help=help_)


def _deal(parser: argparse.ArgumentParser) -> None:
    parser.description = "Deals a game of Thirteen or a round of Three Thirteen, from a seed or a fresh one."
    _rules(parser)
    parser.add_argument("game", choices=["thirteen", "three_thirteen"])
    parser.add_argument("--players", type=int, required=True)
    parser.add_argument("--round", type=int, help="of Three Thirteen: 1 to 11")
    parser.add_argument("--dealer", type=int, help="of Three Thirteen: the seat that deals")
    parser.add_argument("--seed", help="32 bytes in hex; a fresh one if left out")


def _check(parser: argparse.ArgumentParser) -> None:
    parser.description = "Says whether cards may be played in Thirteen, and if not, why."
    _rules(parser)
    parser.add_argument("cards", nargs="+", metavar="CARD", help=CARDS)
    parser.add_argument("--table", nargs="+", metavar="CARD", help="the combination to beat")
    parser.add_argument("--hand", nargs="+", metavar="CARD", help="the hand they have to come from")
    parser.add_argument("--must-include", metavar="CARD", help="a card that must be among them")


def _score(parser: argparse.ArgumentParser) -> None:
    parser.description = "Arranges a hand of Three Thirteen for the fewest penalty points."
    _rules(parser)
    parser.add_argument("hand", nargs="+", metavar="CARD", help=CARDS)
    parser.add_argument("--round", type=int, required=True, help="1 to 11")


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.description = "Checks a finished game's seed, commitment and deals, and each move by the rules."
    parser.add_argument("game", help="its address, or a file with what that answers")
    parser.add_argument("events", nargs="?", help="a file with its events")
