"""Why a picture could not be turned into a digit; each message is for people."""


class IntakeError(ValueError):
    """The picture cannot be used; the message says what is needed and what came."""


class UnreadableImage(IntakeError):
    """The bytes are no picture of a format that intake reads."""


class DamagedImage(IntakeError):
    """The picture is of a format that is read, but broken."""


class ImageTooLarge(IntakeError):
    """The picture holds more than intake is willing to decode."""


class NoDigitFound(IntakeError):
    """The picture could be read, but nothing in it looks like ink on paper."""


class NoSuchPart(IntakeError):
    """The picture holds fewer digits than the part asked for counts."""
