"""Five categories of toys: what varies between toys of one, and the parts of each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import cos, radians, sin

from capsnet_explorer.chance import uniform
from capsnet_explorer.datasets.toys.shapes import (
    Mesh,
    ball,
    block,
    level,
    limb,
    prism,
    together,
    upright,
    wheel,
)

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that varies between toys of one category.

    Attributes:
        name: its name on the wire.
        title: its name for people.
        low: its least value; lengths have no unit, angles are in degrees.
        high: its greatest value.
    """

    name: str
    title: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Category:
    """Toys of one kind.

    Attributes:
        name: the class.
        parameters: what varies, in the order in which seeds draw it.
        parts: a toy's parts from a value for each parameter.
    """

    name: str
    parameters: tuple[Parameter, ...]
    parts: Callable[[Values], list[Mesh]]

    def mesh(self, values: Values) -> Mesh:
        """Return the triangles of a toy.

        Raises:
            ValueError: a parameter has no value, one out of its range, or is unknown.
        """
        known = {parameter.name for parameter in self.parameters}
        if set(values) != known:
            raise ValueError(
                f"{self.name} needs {', '.join(sorted(known))}, got "
                f"{', '.join(sorted(values)) or 'nothing'}"
            )
        for parameter in self.parameters:
            name, low, high = parameter.name, parameter.low, parameter.high
            if not low <= values[name] <= high:
                raise ValueError(
                    f"{name} must be from {low:g} to {high:g}, got {values[name]:g}"
                )
        return together(self.parts(values))


def drawn_toy(category: str, seed: int) -> dict[str, float]:
    """Return the value of each parameter that follows from a seed.

    Args:
        category: name of a category.
        seed: a whole number from 0 to 2^32 / 5 − 1.

    Raises:
        ValueError: the seed is out of range.
        KeyError: no category has that name.
    """
    parameters = CATEGORIES[category].parameters
    number = list(CATEGORIES).index(category)
    drawn = uniform(len(CATEGORIES) * seed + number, len(parameters))
    return {
        parameter.name: parameter.low + (parameter.high - parameter.low) * float(share)
        for parameter, share in zip(parameters, drawn, strict=True)
    }


def _animal(p: Values) -> list[Mesh]:
    length, girth, leg = p["body_length"], p["girth"], p["leg_length"]
    thick, head = p["leg_thickness"], p["head_size"]
    back = leg + girth / 2
    rear, front = -length / 2 + girth / 2, length / 2 - girth / 2
    parts = [limb((rear, back, 0), (front, back, 0), (0.47 * girth, girth / 2))]
    step = leg * sin(radians(p["stride"]))
    for x, swing in ((rear, step), (front, -step)):
        for side in (-1, 1):
            z = side * (0.5 * girth - thick)
            foot = (x + side * swing, thick, z)
            parts.append(limb((x, back - girth / 6, z), foot, (1.5 * thick, thick)))
    rise = radians(p["neck_rise"])
    nape = (front + 0.2 * girth, back + 0.15 * girth, 0)
    crown = (
        nape[0] + p["neck_length"] * cos(rise),
        nape[1] + p["neck_length"] * sin(rise),
        0,
    )
    parts.append(limb(nape, crown, (0.3 * girth, 0.32 * head)))
    parts.append(
        ball(
            (crown[0] + 0.35 * head, crown[1] + 0.05 * head, 0),
            (0.62 * head, 0.38 * head, 0.36 * head),
            pitch=-0.35,
        )
    )
    for side in (-1, 1):
        ear = (crown[0] + 0.05 * head, crown[1] + 0.3 * head, side * 0.24 * head)
        tip = (
            ear[0] - 0.05 * head,
            ear[1] + p["ear_length"],
            ear[2] * (1 + 2 * p["ear_length"]),
        )
        parts.append(limb(ear, tip, (0.11 * head, 0.05 * head)))
    droop = radians(p["tail_rise"])
    root = (rear - 0.4 * girth, back + 0.15 * girth, 0)
    end = (
        root[0] - p["tail_length"] * cos(droop),
        root[1] + p["tail_length"] * sin(droop),
        0,
    )
    parts.append(limb(root, end, (0.1 * girth, 0.05 * girth)))
    return parts


def _human(p: Values) -> list[Mesh]:
    leg, trunk, wide = p["leg_length"], p["trunk_length"], p["shoulders"]
    girth, head = p["girth"], p["head_size"]
    thick = 0.32 * girth
    hip = leg + 0.3 * girth
    neck = hip + trunk
    parts = [
        limb(
            (0, hip, 0),
            (0, neck - 0.4 * wide, 0),
            (0.42 * wide, 0.5 * wide),
            flat=girth / wide,
        ),
        limb((0, neck, 0), (0, neck + 0.4 * head, 0), (0.3 * head, 0.26 * head)),
        ball((0.03, neck + 0.85 * head, 0), (0.46 * head, 0.56 * head, 0.45 * head)),
    ]
    step = radians(p["stride"])
    for side in (-1, 1):
        z = side * 0.22 * wide
        foot = (side * leg * sin(step), 0.75 * thick, 1.5 * z)
        parts.append(limb((0, hip, z), foot, (1.25 * thick, 0.75 * thick)))
        toe = (foot[0] + 1.6 * thick, 0.55 * thick, foot[2])
        parts.append(limb(foot, toe, (0.75 * thick, 0.5 * thick)))
    for side, name in ((-1, "left_arm"), (1, "right_arm")):
        raised, bend = radians(p[name]), radians(p["elbow"])
        shoulder = (0, neck - 0.2 * wide, side * 0.5 * wide)
        half = p["arm_length"] / 2
        elbow = (
            0.25 * half * sin(bend),
            shoulder[1] - half * cos(raised),
            shoulder[2] + side * half * sin(raised),
        )
        hand = (
            elbow[0] + half * sin(bend),
            elbow[1] - half * cos(raised) * cos(bend),
            elbow[2] + side * half * sin(raised) * cos(bend),
        )
        parts.append(limb(shoulder, elbow, (0.85 * thick, 0.65 * thick)))
        parts.append(limb(elbow, hand, (0.65 * thick, 0.6 * thick)))
    return parts


def _plane(p: Values) -> list[Mesh]:
    length, radius, span = p["length"], p["girth"] / 2, p["span"]
    gear = 0.45 * radius + 0.08
    y = gear + radius
    parts = [
        limb(
            (0.1 * length, y, 0), (0.5 * length - radius, y, 0), (radius, 0.8 * radius)
        ),
        limb(
            (0.1 * length, y, 0),
            (-0.5 * length, y + 0.4 * radius, 0),
            (radius, 0.25 * radius),
        ),
        ball(
            (0.34 * length, y + 0.55 * radius, 0),
            (0.1 * length, 0.65 * radius, 0.55 * radius),
        ),
    ]

    sweep = sin(radians(p["sweep"]))

    def wings(
        at: float, chord: float, half: float, y: float, rise: float
    ) -> list[Mesh]:
        tip, thick = at - half * sweep, 0.09 * chord + 0.012
        end = (y + rise - 0.4 * thick, y + rise + 0.4 * thick)
        root = upright(at, at + chord, (y - thick, y + thick), 0)
        return [
            prism(root, upright(tip, tip + chord * p["taper"], end, side * half))
            for side in (-1, 1)
        ]

    rise = span / 2 * sin(radians(p["dihedral"]))
    stern, tail = -0.48 * length, 0.55 * p["chord"]
    parts += wings(p["wing_place"] * length, p["chord"], span / 2, y, rise)
    parts += wings(stern, tail, p["tail_span"] / 2, y + 0.4 * radius, 0)
    high, lean = y + radius + p["fin_height"], stern - tail / 4
    parts.append(
        prism(
            level(stern, stern + tail, 0.06, y + 0.3 * radius),
            level(lean, lean + 0.6 * tail, 0.024, high),
        )
    )
    at = p["wing_place"] * length + 0.55 * p["chord"]
    for side in (-1, 1):
        z = side * 0.22 * span
        engine = y + rise * 0.44 - 0.6 * p["engine"]
        parts.append(
            limb(
                (at - 0.5 * p["engine"], engine, z),
                (at + 1.1 * p["engine"], engine, z),
                (0.55 * p["engine"], 0.6 * p["engine"]),
            )
        )
        parts.append(wheel((-0.02 * length, 0.07, side * 1.2 * radius), 0.07, 0.06))
    parts.append(wheel((0.36 * length, 0.07, 0), 0.07, 0.06))
    return parts


def _truck(p: Values) -> list[Mesh]:
    width, radius = p["width"], p["wheel_radius"]
    cab, cargo, nose = p["cab_length"], p["cargo_length"], p["nose_length"]
    floor = 1.1 * radius
    rear = -(cab + cargo + nose + p["gap"]) / 2
    behind, ahead = rear + cargo + p["gap"], rear + cargo + p["gap"] + cab
    deck = floor + 0.16
    parts = [
        block(
            (rear, ahead + nose, 0.7 * width),
            (rear, ahead + nose, 0.7 * width),
            y=(floor - 0.05, deck),
        ),
        block(
            (rear, rear + cargo, width),
            (rear, rear + cargo, width),
            y=(deck - 0.02, deck + p["cargo_height"]),
        ),
        block(
            (behind, ahead, 0.94 * width),
            (behind, ahead - 0.12 * cab, 0.86 * width),
            y=(floor - 0.03, floor + p["cab_height"]),
        ),
    ]
    if nose > 0:
        parts.append(
            block(
                (ahead - 0.03, ahead + nose, 0.88 * width),
                (ahead - 0.03, ahead + 0.92 * nose, 0.78 * width),
                y=(floor - 0.02, floor + 0.46 * p["cab_height"]),
            )
        )
    axles = (rear + 1.15 * radius, rear + 3.4 * radius, ahead + nose - 1.2 * radius)
    for x in axles:
        for side in (-1, 1):
            z = side * (width / 2 - 0.05)
            parts.append(wheel((x, radius, z), radius, 0.16))
    return parts


def _car(p: Values) -> list[Mesh]:
    length, width, radius = p["length"], p["width"], p["wheel_radius"]
    belt = 0.55 * radius + p["body_height"]
    half = length / 2
    back = -half + p["boot"] * length
    front = half - p["hood"] * length
    slant = p["slant"] * p["cabin_height"]
    parts = [
        block(
            (-half, half, width),
            (-0.96 * half, 0.94 * half, 0.94 * width),
            y=(0.55 * radius, belt),
        ),
        block(
            (back, front, 0.9 * width),
            (back + 0.6 * slant, front - slant, 0.72 * width),
            y=(belt - 0.01, belt + p["cabin_height"]),
        ),
    ]
    for x in (-0.6 * half, 0.6 * half):
        for side in (-1, 1):
            z = side * (width / 2 - 0.04)
            parts.append(wheel((x, radius, z), radius, 0.13))
    return parts


_ALL = (
    Category(
        "animal",
        (
            Parameter("body_length", "length of the body", 0.8, 1.35),
            Parameter("girth", "girth", 0.3, 0.52),
            Parameter("leg_length", "length of the legs", 0.25, 0.75),
            Parameter("leg_thickness", "thickness of the legs", 0.05, 0.09),
            Parameter("stride", "stride", 0, 25),
            Parameter("neck_length", "length of the neck", 0.12, 0.6),
            Parameter("neck_rise", "rise of the neck", 15, 75),
            Parameter("head_size", "size of the head", 0.26, 0.42),
            Parameter("ear_length", "length of the ears", 0.04, 0.2),
            Parameter("tail_length", "length of the tail", 0.12, 0.65),
            Parameter("tail_rise", "rise of the tail", -70, 50),
        ),
        _animal,
    ),
    Category(
        "human",
        (
            Parameter("leg_length", "length of the legs", 0.7, 1.0),
            Parameter("trunk_length", "length of the trunk", 0.5, 0.68),
            Parameter("shoulders", "width of the shoulders", 0.34, 0.5),
            Parameter("girth", "girth", 0.22, 0.32),
            Parameter("head_size", "size of the head", 0.24, 0.36),
            Parameter("arm_length", "length of the arms", 0.55, 0.8),
            Parameter("left_arm", "left arm raised", 5, 140),
            Parameter("right_arm", "right arm raised", 5, 140),
            Parameter("elbow", "bend of the elbows", 0, 80),
            Parameter("stride", "stride", 0, 32),
        ),
        _human,
    ),
    Category(
        "plane",
        (
            Parameter("length", "length", 1.1, 1.6),
            Parameter("girth", "girth", 0.18, 0.32),
            Parameter("span", "span of the wings", 1.0, 1.7),
            Parameter("chord", "depth of the wings", 0.22, 0.4),
            Parameter("taper", "taper of the wings", 0.35, 1),
            Parameter("sweep", "sweep of the wings", 0, 38),
            Parameter("dihedral", "rise of the wings", 0, 9),
            Parameter("wing_place", "place of the wings", -0.12, 0.05),
            Parameter("tail_span", "span of the tail", 0.42, 0.7),
            Parameter("fin_height", "height of the fin", 0.14, 0.36),
            Parameter("engine", "size of the engines", 0.06, 0.13),
        ),
        _plane,
    ),
    Category(
        "truck",
        (
            Parameter("cab_length", "length of the cab", 0.34, 0.52),
            Parameter("cab_height", "height of the cab", 0.55, 0.8),
            Parameter("nose_length", "length of the nose", 0, 0.3),
            Parameter("cargo_length", "length of the load", 0.8, 1.5),
            Parameter("cargo_height", "height of the load", 0.2, 0.85),
            Parameter("gap", "gap behind the cab", 0.03, 0.16),
            Parameter("width", "width", 0.5, 0.66),
            Parameter("wheel_radius", "radius of the wheels", 0.12, 0.18),
        ),
        _truck,
    ),
    Category(
        "car",
        (
            Parameter("length", "length", 1.1, 1.5),
            Parameter("width", "width", 0.5, 0.66),
            Parameter("body_height", "height of the body", 0.2, 0.32),
            Parameter("cabin_height", "height of the cabin", 0.16, 0.34),
            Parameter("boot", "boot, as a share of the length", 0.02, 0.24),
            Parameter("hood", "hood, as a share of the length", 0.16, 0.36),
            Parameter("slant", "slant of the windscreen", 0.2, 1.1),
            Parameter("wheel_radius", "radius of the wheels", 0.1, 0.16),
        ),
        _car,
    ),
)
PAINT = Parameter("paint", "whiteness of the paint", 0.3, 0.6)
CATEGORIES = {
    bare.name: replace(bare, parameters=(*bare.parameters, PAINT)) for bare in _ALL
}
