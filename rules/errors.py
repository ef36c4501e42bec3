"""What the rules refuse, and why.

Two kinds, never mixed: an *invalid* question or action is malformed and means nothing at any table
(a card twice, a hand of the wrong size); an *illegal* action is well formed, but this game at this
moment refuses it. Neither carries prose: the codes are public and stable, the words live with the
service.
"""

from enum import StrEnum


class Reason(StrEnum):
    """Why a well-formed action is refused."""

    NOT_A_COMBINATION = "not_a_combination"
    WRONG_TYPE = "wrong_type"
    WRONG_SIZE = "wrong_size"
    TOO_LOW = "too_low"
    BOMB_DOES_NOT_APPLY = "bomb_does_not_apply"
    CARD_NOT_IN_HAND = "card_not_in_hand"
    MUST_INCLUDE_CARD = "must_include_card"
    MUST_LEAD = "must_lead"
    PASSED_ALREADY = "passed_already"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    GAME_OVER = "game_over"
    NOT_A_MELD = "not_a_meld"
    CARDS_LEFT_OVER = "cards_left_over"
    WRONG_DISCARD = "wrong_discard"
    NO_SUCH_PILE = "no_such_pile"
    WRONG_MOVE_FOR_GAME = "wrong_move_for_game"
    TAKE_BACK_FORBIDDEN = "take_back_forbidden"


class Fault(StrEnum):
    """Why a question or an action is malformed."""

    UNKNOWN_FIELD = "unknown_field"
    MISSING_FIELD = "missing_field"
    INVALID_TYPE = "invalid_type"
    INVALID_CARD = "invalid_card"
    DUPLICATE_CARD = "duplicate_card"
    INVALID_VALUE = "invalid_value"
    WRONG_HAND_SIZE = "wrong_hand_size"
    OUT_OF_RANGE = "out_of_range"


class RulesError(Exception):
    """Base of everything the rules raise."""


class IllegalAction(RulesError):
    """A well-formed action that the game refuses now; `params` are the values behind the message."""

    def __init__(self, reason: Reason, **params: object) -> None:
        super().__init__(reason, params)
        self.reason = reason
        self.params = params


class InvalidAction(RulesError):
    """A malformed question or action; `path` leads from the body's top to the part that is wrong."""

    def __init__(self, fault: Fault, path: tuple[str | int, ...] = (), **params: object) -> None:
        super().__init__(fault, path, params)
        self.fault = fault
        self.path = path
        self.params = params


class UnknownFormat(RulesError):
    """Saved text of a format version that this code does not read (most likely a newer one)."""

    def __init__(self, version: object) -> None:
        super().__init__(version)
        self.version = version
