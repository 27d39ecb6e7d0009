"""Why a file gives no picture; each message is for people."""


class Refusal(ValueError):
    """The file gives no picture; the message says what is needed and what came."""


class UnknownKind(Refusal):
    """It is of no kind that is read."""


class TooMuch(Refusal):
    """It declares more than anybody is willing to decode."""


class Damaged(Refusal):
    """It is of a kind that is read, but broken."""
