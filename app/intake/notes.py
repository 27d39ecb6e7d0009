"""What intake tells people it found, a sentence for each step."""

from app.intake.placing import BOX_SIDE, SIDE


def picture_note(width: int, height: int, ground: str | None) -> str:
    """Say what was read, and what transparent parts were filled with."""
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


def paper_note(*, even: bool) -> str:
    """Say what the paper was like."""
    if even:
        return "The ground is even, so all of it became black."
    return "The light or the paper is uneven, so its local shade was taken away."


def digit_note(dropped: int) -> str:
    """Say how many pieces of ink were left out."""
    if dropped == 0:
        return "All ink belongs to the digit."
    pieces = "1 piece" if dropped == 1 else f"{dropped} pieces"
    return f"The digit was kept; {pieces} of specks, lines or edges left out."


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


PLACED_NOTE = (
    f"The ink was scaled to fit {BOX_SIDE} by {BOX_SIDE} pixels and its centre of "
    f"mass put at the centre of {SIDE} by {SIDE}."
)
