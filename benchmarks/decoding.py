"""`python -m benchmarks.decoding`: the cost of pictures, good and hostile ones.

Good pictures are decoded alternately in a separate process and in this one, and sent to
a real server; hostile ones are sent to it too. Memory is the peak of the server and its
decoder processes.
"""

import argparse
import http.client
import io
import statistics
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.soak.server import Server, running_server
from benchmarks.timing import compare
from capsnet_explorer.intake import NoDigitFound, read_digit
from capsnet_explorer.intake.decode import decode, decoders
from capsnet_explorer.picture_files.kinds import MEDIA_TYPES
from capsnet_explorer.picture_files.reading import read
from tests.hostile_pictures import BOMBS

ROWS, COLUMNS = 3000, 4000  # px, of a photo
ORIENTATION = 0x0112
MEBI = 1 << 20
LIMIT = 20 * MEBI  # bytes that the server accepts


def main() -> None:
    """Print the tables shown in benchmarks/README.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="of each comparison")
    options = parser.parse_args()
    files = {name: data for name, data in _pictures() if len(data) <= LIMIT}
    print(_isolation(files, options.rounds))
    with running_server() as server:
        print(_over_http(server, files, options.rounds))
        print(_traps(server))


def _isolation(files: dict[str, bytes], rounds: int) -> str:
    lines = [
        "| picture | MB | decoded in a separate process, ms | in this one, ms | "
        "whole intake, ms |",
        "|---|---|---|---|---|",
    ]
    for name, data in files.items():
        few = rounds if len(data) > MEBI else 20 * rounds
        row = compare(
            name,
            lambda data=data: decode(data),
            lambda data=data: read(data),
            rounds=few,
        )
        intake = _median(lambda data=data: read_digit(data), few)
        lines.append(
            f"| {name} | {len(data) / MEBI:.2f} | {row.ours_ms:.2f} | "
            f"{row.plain_ms:.2f} | {intake:.2f} |"
        )
    decoders.close()
    return "\n".join(lines) + "\n"


def _over_http(server: Server, files: dict[str, bytes], rounds: int) -> str:
    lines = [
        "| picture | over HTTP, ms | peak growth, MB | growth afterwards, MB |",
        "|---|---|---|---|",
    ]
    for name, data in files.items():
        _forget_peaks(server)
        before = _memory(server, "VmRSS")
        few = rounds if len(data) > MEBI else 10 * rounds
        spent = _median(lambda data=data: _post(server.port, data), few)
        peak, after = _memory(server, "VmHWM"), _memory(server, "VmRSS")
        lines.append(
            f"| {name} | {spent:.1f} | {(peak - before) / MEBI:.0f} | "
            f"{(after - before) / MEBI:.0f} |"
        )
    return "\n".join(lines) + "\n"


def _traps(server: Server) -> str:
    lines = ["| trap | bytes | answer | ms | peak, MB |", "|---|---|---|---|---|"]
    before = _memory(server, "VmRSS")
    for name, build in BOMBS.items():
        data = build()
        _forget_peaks(server)
        start = time.perf_counter()
        status = _post(server.port, data)
        spent = 1000 * (time.perf_counter() - start)
        peak = _memory(server, "VmHWM") / MEBI
        lines.append(f"| {name} | {len(data)} | {status} | {spent:.0f} | {peak:.0f} |")
    time.sleep(1)  # until the last decoder has been replaced
    after = _memory(server, "VmRSS")
    lines.append(f"\nBefore {before / MEBI:.0f} MB, afterwards {after / MEBI:.0f} MB.")
    return "\n".join(lines)


def _post(port: int, data: bytes) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/api/images", data, {"Content-Type": MEDIA_TYPES[0]})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def _median(action: Callable[[], object], rounds: int) -> float:
    """Return the median time in milliseconds."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        try:
            action()
        except NoDigitFound as error:
            raise RuntimeError(f"a digit must be found, got {error}") from error
        found.append(1000 * (time.perf_counter() - start))
    return statistics.median(found)


def _family(server: Server) -> list[Path]:
    """Return the folders in /proc of the server and its child processes."""
    pid = server.process.pid
    family = {str(pid)}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # it has just ended
            family.update((thread / "children").read_text().split())
    return [Path("/proc", number) for number in family]


def _memory(server: Server, what: str) -> int:
    """Return the memory of all processes in bytes: VmRSS is current, VmHWM the peak."""
    total = 0
    for folder in _family(server):
        with suppress(OSError):  # it has just ended
            status = (folder / "status").read_text()
            lines = dict(line.split(":", 1) for line in status.splitlines())
            total += 1024 * int(lines.get(what, "0 kB").split()[0])
    return total


def _forget_peaks(server: Server) -> None:
    for folder in _family(server):
        with suppress(OSError):
            (folder / "clear_refs").write_text("5")


def _pictures() -> list[tuple[str, bytes]]:
    """Draw pictures like those that people send, in usual sizes."""
    small = np.zeros((28, 28), np.uint8)
    small[4:24, 12:16] = 255
    pad = np.asarray(Image.fromarray(small).resize((280, 280)))
    photo = _photo()
    lying = Image.Exif()
    lying[ORIENTATION] = 6
    return [
        ("28 × 28, PNG", _file(Image.fromarray(small), "PNG")),
        ("drawing 280 × 280, PGM", _file(Image.fromarray(pad), "PPM")),
        ("drawing 280 × 280, PNG", _file(Image.fromarray(pad), "PNG")),
        ("12 MP, JPEG", _file(photo, "JPEG", quality=88)),
        ("12 MP, JPEG, EXIF-rotated", _file(photo, "JPEG", quality=88, exif=lying)),
        ("12 MP, progressive JPEG", _file(photo, "JPEG", quality=88, progressive=True)),
        ("12 MP, WebP", _file(photo, "WEBP", quality=80, method=0)),
        ("12 MP, AVIF", _file(photo, "AVIF", quality=60, speed=10)),
        ("12 MP, PNG", _file(photo, "PNG", compress_level=6)),
        ("12 MP, TIFF with LZW", _file(photo, "TIFF", compression="tiff_lzw")),
        ("12 MP of grey, TIFF", _file(photo.convert("L"), "TIFF")),
    ]


def _photo() -> Image.Image:
    """Draw the digit 1 on paper in uneven light, with sensor noise."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32)
    light = 180 + 40 * np.sin(columns / 900) + 20 * np.cos(rows / 700)
    light[800:2200, 1900:2050] -= 120
    noise = np.random.default_rng(0).normal(0, 3, light.shape).astype(np.float32)
    shades = [light + noise - shift for shift in (0, 4, 12)]
    pixels = np.stack(shades, axis=-1).clip(0, 255).astype(np.uint8)
    return Image.fromarray(pixels)


def _file(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.copy().save(file, kind, **options)
    return file.getvalue()


if __name__ == "__main__":
    main()
