"""Zip files of pictures, kind and hostile, for tests."""

import io
import random
import stat
import zipfile

from PIL import Image, ImageDraw


def drawing(kind, number, side=48):
    """Return a PNG file of ink on paper: a ring, or a bar; no two are the same."""
    image = Image.new("L", (side, side), 235)
    pen = ImageDraw.Draw(image)
    again, move = divmod(number, 7)
    ink = 25 + again
    if kind == "ring":
        pen.ellipse((8 + move, 10, 30 + move, 38 - move), outline=ink, width=5)
    else:
        pen.line((12 + move, 8, 22 + move, 40), fill=ink, width=6)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def photograph(kind, number, size=(64, 48)):
    """Return a JPEG file in colour: a ball, or a box, on a spotted ground."""
    chosen = random.Random(f"{kind} {number}")
    image = Image.new("RGB", size, tuple(chosen.randrange(120, 230) for _ in "rgb"))
    pen = ImageDraw.Draw(image)
    for _ in range(30):
        spot = chosen.randrange(size[0]), chosen.randrange(size[1])
        pen.point(spot, tuple(chosen.randrange(256) for _ in "rgb"))
    left, top, side = (
        chosen.randrange(*ends) for ends in ((10, 25), (4, 16), (18, 28))
    )
    draw, paint = (
        (pen.ellipse, "crimson") if kind == "ball" else (pen.rectangle, "navy")
    )
    draw((left, top, left + side, top + side), fill=paint)
    file = io.BytesIO()
    image.save(file, "JPEG")
    return file.getvalue()


def photographs(count=100, within=""):
    """Return photographs by their names, `each` of every kind."""
    return {
        f"{within}{kind}/IMG_{number:04}.jpg": photograph(kind, number)
        for kind in ("ball", "box")
        for number in range(count)
    }


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    """Return a zip file of files by their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def drawings(count=10, kinds=("bar", "ring"), within=""):
    """Return drawings by their names, `each` of every kind."""
    return {
        f"{within}{kind}/{number:03}.png": drawing(kind, number)
        for kind in kinds
        for number in range(count)
    }


def link(name, target):
    """Return a zip file with a symbolic link in it, beside drawings."""
    buffer = io.BytesIO(zipped(drawings()))
    with zipfile.ZipFile(buffer, "a") as archive:
        member = zipfile.ZipInfo(name)
        member.create_system = 3
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, target)
    return buffer.getvalue()
