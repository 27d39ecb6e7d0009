"""The intake's notes for people, one sentence for each step."""

from capsnet_explorer.pictures.reading.placing import BOX_SIDE, SIDE
from capsnet_explorer.pictures.reading.settings import WHOLE, Box


def picture_note(width: int, height: int, ground: str | None, crop: Box) -> str:
    """Describe the picture, and the background that filled its transparent parts."""
    if crop != WHOLE:
        return "Only the area inside the frame was used."
    if ground is None:
        return f"Read upright, at {width} by {height} pixels."
    return f"Read upright, with transparent parts filled with {ground}."


def ink_note(*, inverted: bool, by_colour: bool, chosen: bool) -> str:
    """Say whether the ink is darker or lighter than its paper, and who decided.

    Args:
        inverted: whether the ink is darker.
        by_colour: whether ink and paper differ in colour.
        chosen: whether a person chose the opposite of what was found.
    """
    how = " (distinguished by colour)" if by_colour else ""
    whose = "As you chose: " if chosen else ""
    if inverted:
        start = f"{whose}{'dark' if chosen else 'Dark'} ink on light paper{how}"
        return f"{start}, so the picture was inverted."
    start = f"{whose}{'light' if chosen else 'Light'} ink on a dark background{how}"
    return f"{start}, as in the network's training images."


def paper_note(*, even: bool, rules: int) -> str:
    """Say whether the paper was even, and how many printed lines it had."""
    if even:
        start = "The background is even, so it became black"
    else:
        start = "The light or the paper is uneven, so its local shade was subtracted"
    if rules == 0:
        return f"{start}."
    lines = "1 printed line was" if rules == 1 else f"{rules} printed lines were"
    return f"{start}. {lines} removed."


def digit_note(index: int, count: int, dropped: int, degrees: float) -> str:
    """Say which digit was kept, what was removed, and how far it was rotated.

    Args:
        index: of the digit kept, from 0.
        count: number of digits.
        dropped: number of pieces of ink that belong to no digit.
        degrees: clockwise rotation.
    """
    return f"{_choice(index, count, dropped)}{_turn(degrees)}."


def _choice(index: int, count: int, dropped: int) -> str:
    if count > 1:
        return f"Digit {index + 1} of {count} was kept"
    if dropped == 0:
        return "All ink belongs to the digit"
    pieces = "1 piece" if dropped == 1 else f"{dropped} pieces"
    return f"The digit was kept, and {pieces} of specks, lines or edges removed"


def _turn(degrees: float) -> str:
    if degrees == 0:
        return ""
    way = "clockwise" if degrees > 0 else "anticlockwise"
    return f"; rotated by {abs(degrees):g}° {way}"


def digits_note(
    parts: tuple[int, ...], count: int, dropped: int, degrees: float
) -> str:
    """Say which digits were kept where the image may show two.

    Args:
        parts: indices of the digits kept, from 0.
        count: number of digits.
        dropped: number of pieces of ink that belong to no digit.
        degrees: clockwise rotation.
    """
    if len(parts) == 1:
        choice = _choice(0, 1, dropped)
        lone = f"{choice}. It was read as it lies, as one digit or as two that touch"
        return f"{lone}{_turn(degrees)}."
    first, second = (part + 1 for part in parts)
    kept = (
        "Both digits were kept"
        if count == 2
        else f"Digits {first} and {second} of {count} were kept, the two largest"
    )
    return f"{kept}{_turn(degrees)}."


def strokes_note(before: float, after: float) -> str:
    """Give the width of the strokes, and say whether it was changed.

    Args:
        before: mean width in px of the final image.
        after: the same after any change.
    """
    if before == after:
        return f"Strokes are {before:.1f} pixels wide, so they were left unchanged."
    change = "thickened" if after > before else "thinned"
    return (
        f"Strokes would be {before:.1f} pixels wide in the final image, so they were "
        f"{change} to {after:.1f}."
    )


def nothing_words(reason: str) -> str:
    """Say that no digit was found, why, and what to try."""
    return (
        f"Nothing in this picture looks like a digit: {reason}. Try a darker pen, more "
        "light, a picture taken from closer, or another frame."
    )


def no_paper_words(reason: str) -> str:
    """Say that a picture shows no writing on paper, and what is needed."""
    return (
        f"Nothing in this picture looks like a digit: {reason}. It may be a photograph "
        "of something else. A digit in one colour on even paper is needed, or a frame "
        "around it."
    )


def square_note(before: tuple[int, int], after: tuple[int, int], degrees: float) -> str:
    """Say how much of a colour picture was kept, and how far it was rotated.

    Args:
        before: width and height of what the frame holds, in px.
        after: width and height of what was kept.
        degrees: clockwise rotation.
    """
    if before == after:
        return f"All of it was kept{_turn(degrees)}."
    kept, all_of_it = (f"{width} by {height}" for width, height in (after, before))
    return f"The middle {kept} of {all_of_it} pixels were kept{_turn(degrees)}."


def scaled_note(rows: int, columns: int) -> str:
    """Say to which size a colour picture was scaled."""
    return f"Scaled to {columns} by {rows} pixels; its colours are unchanged."


def together_note(
    *, parts: int, is_moved: bool, reach: int, height: int, side: int
) -> str:
    """Say how ink came onto the canvas for two digits.

    Args:
        parts: how many were placed each by itself.
        is_moved: whether they came closer to each other than they were.
        reach: px that a digit may stand away from the middle.
        height: of ink in one piece, in px.
        side: of the canvas, in px.
    """
    if parts == 1:
        return (
            f"The ink was scaled to a height of {height} pixels, or less where it is "
            f"wide: in training, one digit has {BOX_SIDE}, two over each other have a "
            f"few more. Its centre of mass moved to the centre of {side} by {side}."
        )
    start = f"Each digit was scaled to fit {BOX_SIDE} by {BOX_SIDE} pixels"
    end = (
        f"They were moved together, to at most {reach} pixels from the middle of "
        f"{side} by {side}, as in training"
        if is_moved
        else f"They lie around the middle of {side} by {side} as they did"
    )
    return f"{start}. {end}. Where both have ink, it adds up."


PLACED_NOTE = (
    f"The ink was scaled to fit {BOX_SIDE} by {BOX_SIDE} pixels, and its centre of "
    f"mass moved to the centre of {SIDE} by {SIDE}."
)
