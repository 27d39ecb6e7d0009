"""Errors of the intake besides those of decoding; each message is meant for people."""

from capsnet_explorer.pictures.decoding.errors import Refusal


class NoDigitFound(Refusal):
    """The picture can be read but does not show a digit."""


class Busy(Refusal):
    """No picture can be decoded now: too many wait, or no process can be started."""


class NoSuchPart(Refusal):
    """The requested digit does not exist: the picture shows fewer."""
