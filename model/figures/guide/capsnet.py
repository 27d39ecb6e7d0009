"""The guide's figures of the CapsNet."""

import numpy as np
import torch

from capsnet_explorer.model.capsnet.tensors import named_tensors
from capsnet_explorer.model.figures.guide.figure import (
    Draw,
    Figure,
    Material,
    Numbers,
    listed,
)
from capsnet_explorer.model.figures.guide.svg import (
    ACCENT,
    GAIN,
    INK,
    LINE,
    LOSS,
    MUTED,
    Axes,
    Drawing,
    coloured,
    grey,
)

CLEAR, DOUBTFUL = "four-open", "four-nine"
WIDTH = 640
KERNELS = 12  # shown side by side
VOTES = 10  # the longest, as the page shows them
SWEEP = 7  # pictures of each number
SHOWN_NUMBERS = 16


def _lengths(material: Material, sample: str) -> Figure:
    lengths = material.pass_over(sample).scores[0].numpy()
    drawing = Drawing(WIDTH, 220)
    axes = Axes(50, WIDTH - 20, 20, 170, (-0.5, len(lengths) - 0.5), (0, 1))
    axes.draw(drawing, range(len(lengths)), (0, 0.5, 1), "digit; length of its capsule")
    longest = int(lengths.argmax())
    for digit, length in enumerate(lengths):
        x, y = axes.at(digit, float(length))
        color = ACCENT if digit == longest else MUTED
        drawing.box(x - 16, y, 32, axes.bottom - y, color)
        drawing.text(x, y - 4, f"{length:.2f}", size=11, anchor="middle")
    words = listed([f"{d}: {length:.2f}" for d, length in enumerate(lengths)])
    return Figure(
        drawing,
        f"Ten bars, the lengths of the digit capsules for the sample {sample}: {words}."
        f" The longest is that of {longest}.",
    )


def squash(material: Material) -> Figure:
    """Draw the squash curve, and where this image's primary capsules lie on it."""
    pre = material.pass_over(CLEAR).primary_pre[0]
    before = torch.linalg.vector_norm(pre, dim=-1).flatten().numpy()
    reach = float(np.ceil(max(1.0, float(before.max()))))
    drawing = Drawing(WIDTH, 260)
    axes = Axes(50, WIDTH - 20, 20, 210, (0, reach), (0, 1))
    axes.draw(
        drawing, np.linspace(0, reach, 5).tolist(), (0, 0.5, 1), "length before squash"
    )
    curve = np.linspace(0, reach, 120)
    drawing.line([axes.at(s, s**2 / (1 + s**2)) for s in curve], ACCENT, 2)
    for share in np.linspace(0, 1, 60):
        s = float(np.quantile(before, share))
        drawing.dot(*axes.at(s, s**2 / (1 + s**2)), 2.5, INK)
    median, longest = float(np.median(before)), float(before.max())
    return Figure(
        drawing,
        "A curve that rises slowly from 0, then steeply, and bends towards 1: length"
        f" after squash over length before. Of the {len(before)} primary capsules of"
        f" the open 4, the median is {median:.2f} long before squash and"
        f" {median**2 / (1 + median**2):.2f} after; the longest {longest:.2f} before"
        f" and {longest**2 / (1 + longest**2):.2f} after.",
    )


def _strongest_maps(material: Material) -> tuple[list[int], Numbers, Numbers]:
    """Return the brightest maps of Conv1, with all kernels and maps."""
    trace = material.pass_over(CLEAR)
    maps = trace.conv1_relu[0].numpy()
    order = np.argsort(-maps.sum((1, 2)), kind="stable")[:KERNELS].tolist()
    weights = material.trained.network.state_dict()["conv1.weight"]
    return order, weights[:, 0].numpy(), maps


def kernels(material: Material) -> Figure:
    """Draw the kernels of Conv1 whose maps are brightest for the open 4."""
    order, weights, _ = _strongest_maps(material)
    reach = float(np.abs(weights[order]).max())
    return _row(
        [(str(i), coloured(weights[i], "RdBu_r", reach)) for i in order],
        f"{len(order)} kernels of Conv1, those with the most activation for the open 4,"
        " brightest first: small pictures of weights from blue, below zero, to red,"
        f" above. Their numbers are {listed([str(i) for i in order])}; the largest"
        f" weight among them is {reach:.2f}.",
    )


def maps(material: Material) -> Figure:
    """Draw the maps that these kernels make."""
    order, _, values = _strongest_maps(material)
    most = float(values[order].max())
    zeros = float((values == 0).mean())
    return _row(
        [(str(i), coloured(values[i], "viridis", most)) for i in order],
        f"The maps of these {len(order)} kernels for the open 4 after ReLU: bright"
        f" where the kernel found its pattern. The largest value is {most:.2f}."
        f" Of all maps of the layer, {zeros:.0%} of the values are 0.",
    )


def _row(tiles: list[tuple[str, np.ndarray]], alt: str) -> Figure:
    across = KERNELS // 2
    side = 92
    rows = -(-len(tiles) // across)
    drawing = Drawing(WIDTH, rows * (side + 26) + 14)
    for place, (name, pixels) in enumerate(tiles):
        x = 12 + (place % across) * (side + 12)
        y = 12 + (place // across) * (side + 26)
        drawing.picture(x, y, side, pixels)
        drawing.text(
            x + side / 2, y + side + 14, name, color=MUTED, size=11, anchor="middle"
        )
    return Figure(drawing, alt)


def _votes_for(
    material: Material, sample: str
) -> tuple[int, Numbers, Numbers, Numbers]:
    """Return the answer, its longest votes, their couplings, and v in each iteration.

    Returns:
        digit; (votes, dim); (iterations, votes); (iterations, dim).
    """
    trace = material.pass_over(sample)
    digit = int(trace.scores[0].argmax())
    tensors = named_tensors(material.trained.network.config)
    read = {
        name: tensors[name].read(trace, 0).numpy()
        for name in ("votes", "routing.couplings", "routing.capsules")
    }
    votes = read["votes"][..., digit, :].reshape(-1, read["votes"].shape[-1])
    longest = np.argsort(-np.linalg.norm(votes, axis=1), kind="stable")[:VOTES]
    couplings = read["routing.couplings"][..., digit]
    flat = couplings.reshape(len(couplings), -1)
    return digit, votes[longest], flat[:, longest], read["routing.capsules"][:, digit]


def agreement(material: Material) -> Figure:
    """Draw the longest votes for the answer as arrows, before and after routing."""
    digit, votes, couplings, poses = _votes_for(material, DOUBTFUL)
    right = poses[-1] / np.linalg.norm(poses[-1])
    rest = votes - np.outer(votes @ right, right)
    up = np.linalg.svd(rest, full_matrices=False)[2][0]
    up *= np.sign((rest @ up).sum()) or 1
    tips = np.stack([votes @ right, votes @ up], 1)
    share = float((tips**2).sum() / (votes**2).sum())
    reach = float(np.abs(tips).max())
    unit = 130 / max(1.0, reach)
    drawing = Drawing(WIDTH, 300)
    for place, step in ((0, 0), (1, len(poses) - 1)):
        x, y = 160 + 320 * place, 160
        drawing.ring(x, y, unit)
        for tip, coupling in zip(tips, couplings[step], strict=True):
            color = GAIN if tip[0] > 0 else LOSS
            end = (x + tip[0] * unit, y - tip[1] * unit)
            drawing.arrow((x, y), end, color, 0.75 + 12 * float(coupling))
        pose = (float(poses[step] @ right), float(poses[step] @ up))
        drawing.arrow((x, y), (x + pose[0] * unit, y - pose[1] * unit), ACCENT, 2.5)
        drawing.text(x, 20, f"iteration {step + 1}", anchor="middle", bold=True)
    ways = int((tips[:, 0] > 0).sum())
    first, last = (_span(couplings[step]) for step in (0, -1))
    return Figure(
        drawing,
        f"The {len(votes)} longest votes for {digit} as arrows in a plane, in the first"
        f" and the last iteration. {ways} of them point the way of the capsule of"
        f" {digit}. In the first iteration their couplings are {first}, in the last"
        f" {last}; wider arrows have larger ones. The plane holds {share:.0%} of"
        " their squared length.",
    )


def _span(values: Numbers) -> str:
    low, high = f"{values.min():.2f}", f"{values.max():.2f}"
    return f"all {low}" if low == high else f"{low} to {high}"


def couplings(material: Material) -> Figure:
    """Draw how the couplings of the longest votes go over the iterations."""
    digit, votes, values, poses = _votes_for(material, DOUBTFUL)
    ways = votes @ poses[-1] > 0
    lines = [
        (values[:, i].tolist(), GAIN if ways[i] else LOSS) for i in range(len(votes))
    ]
    drawing = _course(lines, max(0.2, float(values.max())), "iteration; coupling c")
    ends = [f"{value:.2f}" for value in np.sort(values[-1])[::-1]]
    return Figure(
        drawing,
        f"Couplings of the {len(votes)} longest votes for {digit} over"
        f" {len(values)} iterations. All begin at {values[0, 0]:.2f}; they end at"
        f" {listed(ends)}. {int(ways.sum())} of these votes agree with the capsule.",
    )


def course(material: Material) -> Figure:
    """Draw the lengths of all digits over the iterations."""
    trace = material.pass_over(DOUBTFUL)
    lengths = np.stack(
        [torch.linalg.vector_norm(step.capsules[0], dim=1) for step in trace.steps]
    )
    order = np.argsort(-lengths[-1], kind="stable")
    lines = [
        (lengths[:, d].tolist(), ACCENT if d in order[:2] else LINE)
        for d in order[::-1]
    ]
    drawing = _course(lines, 1.0, "iteration; length of each digit’s capsule")
    words = [
        f"{d} goes from {lengths[0, d]:.2f} to {lengths[-1, d]:.2f}" for d in order[:2]
    ]
    return Figure(
        drawing,
        f"Lengths of the ten capsules over {len(lengths)} iterations for a sample"
        f" between 4 and 9: {listed(words)}; of the others the longest ends at"
        f" {lengths[-1, order[2]]:.2f}.",
    )


def _course(lines: list[tuple[list[float], str]], most: float, name: str) -> Drawing:
    drawing = Drawing(WIDTH, 250)
    count = len(lines[0][0])
    top = float(np.ceil(10 * most) / 10)
    axes = Axes(50, WIDTH - 30, 20, 200, (1, count), (0, top))
    axes.draw(drawing, range(1, count + 1), (0, round(top / 2, 2), top), name)
    for values, color in lines:
        places = [axes.at(step, value) for step, value in enumerate(values, start=1)]
        drawing.line(places, color, 2)
        for place in places:
            drawing.dot(*place, 3, color)
    return drawing


def reconstruction(material: Material) -> Figure:
    """Draw an input, its reconstruction, and their difference."""
    from capsnet_explorer.model.figures.guide.figure import image_of

    image = image_of(CLEAR)
    trace = material.pass_over(CLEAR)
    drawn = trace.reconstruction[0, 0].numpy()
    drawing = Drawing(WIDTH, 230)
    tiles = (
        ("input", grey(image)),
        ("reconstruction", grey(drawn)),
        ("difference", coloured(drawn - image, "RdBu_r", 1)),
    )
    for place, (name, pixels) in enumerate(tiles):
        x = 14 + place * 209
        drawing.picture(x, 12, 194, pixels)
        drawing.text(x + 97, 222, name, anchor="middle", color=MUTED)
    error = float(((drawn - image) ** 2).mean())
    return Figure(
        drawing,
        "The open 4, its reconstruction from the capsule of"
        f" {int(trace.scores[0].argmax())}, and the difference, red where there is too"
        f" much ink and blue where too little: {error:.4f} mean squared a pixel.",
    )


def numbers(material: Material) -> Figure | None:
    """Draw the decoded picture while each number goes through its range."""
    ranges = material.card.get("pose_ranges")
    trace = material.pass_over(CLEAR)
    digit = int(trace.scores[0].argmax())
    if not ranges or ranges[digit] is None:
        return None
    capsule = trace.capsules[0, digit]
    dim = min(len(capsule), SHOWN_NUMBERS)
    rows = []
    for number in range(dim):
        low, high = ranges[digit][number]
        poses = capsule.expand(SWEEP, -1).clone()
        poses[:, number] = torch.linspace(low, high, SWEEP)
        with torch.no_grad():
            drawn = material.trained.network.decode(digit, poses)
            rows.append(drawn[:, 0].numpy())
    half = -(-dim // 2)
    side = 40
    drawing = Drawing(WIDTH, half * (side + 3) + 20)
    for number, pictures in enumerate(rows):
        x = 30 + (number // half) * 310
        y = 10 + (number % half) * (side + 3)
        strip = np.concatenate([grey(picture) for picture in pictures], axis=1)
        drawing.text(x - 6, y + 25, str(number + 1), color=MUTED, size=11, anchor="end")
        drawing.picture(x, y, side * SWEEP, strip)
    changes = [float(((pictures[-1] - pictures[0]) ** 2).mean()) for pictures in rows]
    most = int(np.argmax(changes)) + 1
    return Figure(
        drawing,
        f"Each of the {dim} numbers of the capsule of {digit} moved through the range"
        " that test images have, a row of decoded pictures for each. Number"
        f" {most} changes the picture most from end to end, by"
        f" {max(changes):.3f} mean squared a pixel; the least change is"
        f" {min(changes):.3f}.",
    )


def margin(material: Material) -> Figure:
    """Draw what a length costs: the two curves of the margin loss."""
    loss = material.card["loss"]
    upper, lower = loss["present_margin"], loss["absent_margin"]
    weight = loss["absent_weight"]
    drawing = Drawing(WIDTH, 260)
    axes = Axes(50, WIDTH - 20, 20, 210, (0, 1), (0, 1))
    axes.draw(drawing, (0, 0.25, 0.5, 0.75, 1), (0, 0.5, 1), "length; what it costs")
    lengths = np.linspace(0, 1, 101)
    present = np.maximum(0, upper - lengths) ** 2
    absent = weight * np.maximum(0, lengths - lower) ** 2
    drawing.line(
        [axes.at(x, y) for x, y in zip(lengths, present, strict=True)], ACCENT, 2
    )
    drawing.line([axes.at(x, y) for x, y in zip(lengths, absent, strict=True)], GAIN, 2)
    drawing.text(*axes.at(0.06, 0.9), "the digit that is there", color=ACCENT)
    drawing.text(*axes.at(0.8, 0.38), "a digit that is not", color=GAIN, anchor="end")
    return Figure(
        drawing,
        f"Two curves over the length. For the digit that is there the cost falls from"
        f" {present[0]:.2f} at length 0 to 0 at {upper:.2f} and beyond. For any other"
        f" digit it is 0 up to {lower:.2f} and rises to {absent[-1]:.2f} at length 1.",
    )


def mistakes(material: Material) -> Figure | None:
    """Draw test images that the network misreads."""
    found = material.card.get("mistakes", [])[:16]
    if not found or material.card.get("measured_on", "test") != "test":
        return None
    images = material.test().images
    side = 68
    drawing = Drawing(WIDTH, -(-len(found) // 8) * (side + 26) + 10)
    for place, each in enumerate(found):
        x, y = 12 + (place % 8) * (side + 9), 10 + (place // 8) * (side + 26)
        drawing.picture(x, y, side, images[each["index"], 0].numpy())
        words = f"{each['label']}, read {each['prediction']}"
        drawing.text(x + side / 2, y + side + 14, words, size=11, anchor="middle")
    words = [f"{each['label']} read as {each['prediction']}" for each in found]
    return Figure(
        drawing,
        f"The first {len(found)} of {len(material.card['mistakes'])} misread test"
        f" images: {listed(words)}.",
    )


FIGURES: dict[str, Draw] = {
    "lengths": lambda material: _lengths(material, CLEAR),
    "squash": squash,
    "kernels": kernels,
    "maps": maps,
    "agreement": agreement,
    "couplings": couplings,
    "course": course,
    "two": lambda material: _lengths(material, DOUBTFUL),
    "reconstruction": reconstruction,
    "numbers": numbers,
    "margin": margin,
    "mistakes": mistakes,
}
