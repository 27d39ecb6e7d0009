"""What is written is read again, and nothing else is believed."""

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from capsnet_explorer.pictures.decoding.errors import (
    Damaged,
    Refusal,
    TooMuch,
    UnknownKind,
)
from capsnet_explorer.pictures.decoding.wire import (
    MODES,
    BrokenOff,
    receive_answer,
    receive_file,
    send_file,
    send_picture,
    send_refusal,
)

NOISE = np.random.default_rng(0).integers(0, 256, 7 * 5 * 4, np.uint8).tobytes()


@pytest.mark.parametrize("files", [[], [b""], [b"one", b"", b"three" * 1000]])
def test_files_come_one_by_one_with_the_part_asked_for(files):
    stream = io.BytesIO()
    files = [
        (data, (0.1, 0.0, 1.0, 1 / (index + 1))) for index, data in enumerate(files)
    ]
    for data, part in files:
        send_file(stream, data, part)
    stream.seek(0)
    assert list(iter(lambda: receive_file(stream), None)) == files


@pytest.mark.parametrize("cut", [1, 4, 36, 38])
def test_half_a_file_is_none(cut):
    stream = io.BytesIO()
    send_file(stream, b"file")
    assert receive_file(io.BytesIO(stream.getvalue()[:cut])) is None


@pytest.mark.parametrize("mode", MODES)
def test_a_picture_comes_whole(mode):
    bands = len(Image.new(mode, (1, 1)).getbands())
    picture = Image.frombytes(mode, (7, 5), NOISE[: 7 * 5 * bands])
    stream = io.BytesIO()
    send_picture(stream, picture)
    assert receive_answer(io.BytesIO(stream.getvalue())) == picture
    with pytest.raises(BrokenOff):
        receive_answer(io.BytesIO(stream.getvalue()[:-1]))


@pytest.mark.parametrize("kind", [UnknownKind, TooMuch, Damaged])
def test_a_refusal_is_raised_again(kind):
    stream = io.BytesIO()
    send_refusal(stream, kind("größer als 4 × 4"))
    with pytest.raises(kind, match=r"^größer als 4 × 4$"):
        receive_answer(io.BytesIO(stream.getvalue()))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40))
def test_other_bytes_are_no_answer(data):
    with contextlib.suppress(Refusal, BrokenOff):
        assert receive_answer(io.BytesIO(data)).mode in MODES
