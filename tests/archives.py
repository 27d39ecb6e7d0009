"""Zip files of pictures, kind and hostile, for tests."""

import io
import stat
import zipfile

from PIL import Image, ImageDraw


def drawing(kind, number, side=48):
    """Return a PNG file of ink on paper: a ring, or a bar; no two are the same."""
    image = Image.new("L", (side, side), 235)
    pen = ImageDraw.Draw(image)
    move = number % 7
    if kind == "ring":
        pen.ellipse((8 + move, 10, 30 + move, 38 - move), outline=25, width=5)
    else:
        pen.line((12 + move, 8, 22 + move, 40), fill=25, width=6)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    """Return a zip file of files by their names."""
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return place.getvalue()


def drawings(each=10, kinds=("bar", "ring"), within=""):
    """Return drawings by their names, `each` of every kind."""
    return {
        f"{within}{kind}/{number:03}.png": drawing(kind, number)
        for kind in kinds
        for number in range(each)
    }


def link(name, target):
    """Return a zip file with a symbolic link in it, beside drawings."""
    place = io.BytesIO(zipped(drawings()))
    with zipfile.ZipFile(place, "a") as archive:
        member = zipfile.ZipInfo(name)
        member.create_system = 3
        member.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(member, target)
    return place.getvalue()
