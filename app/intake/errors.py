"""Why a picture could not be turned into a digit; each message is for people."""


class IntakeError(ValueError):
    """The picture cannot be used; the message says what is needed and what came."""


class UnreadableImage(IntakeError):
    """The bytes are not a whole picture of a format that intake reads."""


class ImageTooLarge(IntakeError):
    """The picture declares more pixels than intake is willing to decode."""


class NoDigitFound(IntakeError):
    """The picture could be read, but nothing in it looks like ink on paper."""
