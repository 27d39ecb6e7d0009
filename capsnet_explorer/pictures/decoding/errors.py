"""Errors of decoding; each message is meant for people."""


class Refusal(ValueError):
    """The file yields no picture; the message says what is needed and what came."""


class UnknownKind(Refusal):
    """The file has an unsupported format."""


class TooMuch(Refusal):
    """The file exceeds a limit on pixels, frames, metadata or memory."""


class Damaged(Refusal):
    """The file has a supported format but is damaged."""
