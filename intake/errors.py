"""Errors of the intake; each message is meant for people."""


class IntakeError(ValueError):
    """The picture cannot be used; the message says what is needed and what came."""


class UnreadableImage(IntakeError):
    """The file is not a picture in a supported format."""


class DamagedImage(IntakeError):
    """The picture is damaged."""


class ImageTooLarge(IntakeError):
    """The picture exceeds a limit on pixels, frames or metadata."""


class NoDigitFound(IntakeError):
    """The picture can be read but does not show a digit."""


class Busy(IntakeError):
    """No picture can be decoded now: too many wait, or no process can be started."""


class NoSuchPart(IntakeError):
    """The requested digit does not exist: the picture shows fewer."""
