"""What intake tells people it found, a sentence for each step."""

from app.intake.placing import BOX_SIDE, SIDE
from app.intake.settings import WHOLE, Box


def picture_note(width: int, height: int, ground: str | None, crop: Box) -> str:
    """Say what was read, and what transparent parts were filled with."""
    if crop != WHOLE:
        return "Only what is inside the frame was looked at."
    if ground is None:
        return f"Read upright, at {width} by {height} pixels."
    return f"Read upright; its transparent parts were filled with {ground}."


def ink_note(*, inverted: bool, by_colour: bool, told: bool) -> str:
    """Say which of ink and paper is lighter, and how they were told apart."""
    told_apart = " (told apart by their colours)" if by_colour else ""
    asked = "As you said, " if told else ""
    if inverted:
        start = f"{asked}{'dark' if told else 'Dark'} ink on light paper{told_apart}"
        return f"{start}, so light and dark were exchanged."
    start = f"{asked}{'light' if told else 'Light'} ink on dark ground{told_apart}"
    return f"{start}, as the network wants it."


def paper_note(*, even: bool, rules: int) -> str:
    """Say what the paper was like, and how many printed lines it had."""
    if even:
        start = "The ground is even, so all of it became black"
    else:
        start = "The light or the paper is uneven, so its local shade was taken away"
    if rules == 0:
        return f"{start}."
    lines = "1 printed line" if rules == 1 else f"{rules} printed lines"
    return f"{start}; {lines} left out."


def digit_note(index: int, count: int, dropped: int, degrees: float) -> str:
    """Say which digit was kept, what was left out, and how far it was turned.

    Args:
        index: of the digit that was kept, from 0.
        count: how many there are.
        dropped: pieces of ink that belong to none.
        degrees: clockwise.
    """
    return f"{_kept(index, count, dropped)}{_turn(degrees)}."


def _kept(index: int, count: int, dropped: int) -> str:
    if count > 1:
        return f"Number {index + 1} of {count} was kept"
    if dropped == 0:
        return "All ink belongs to the digit"
    pieces = "1 piece" if dropped == 1 else f"{dropped} pieces"
    return f"The digit was kept; {pieces} of specks, lines or edges left out"


def _turn(degrees: float) -> str:
    if degrees == 0:
        return ""
    way = "clockwise" if degrees > 0 else "anticlockwise"
    return f"; turned by {abs(degrees):g}° {way}"


def strokes_note(before: float, after: float) -> str:
    """Say how wide strokes will be and whether that was changed.

    Args:
        before: mean width in px of the final image.
        after: the same, once changed.
    """
    if before == after:
        return f"Strokes will be {before:.1f} pixels wide, so they stay as they are."
    change = "thickened" if after > before else "thinned"
    return (
        f"Strokes would be {before:.1f} pixels wide in the end, so they were "
        f"{change} to {after:.1f}."
    )


def nothing_words(reason: str) -> str:
    """Say that no digit was found, why, and what to try."""
    return (
        f"Nothing in this picture looks like a digit: {reason}. A darker pen, more "
        "light or a picture taken closer helps; so may another crop or threshold."
    )


PLACED_NOTE = (
    f"The ink was scaled to fit {BOX_SIDE} by {BOX_SIDE} pixels and its centre of "
    f"mass put at the centre of {SIDE} by {SIDE}."
)
