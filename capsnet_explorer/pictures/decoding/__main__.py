"""Read files from standard input and write pictures to standard output."""

import logging
import os
import sys
from typing import BinaryIO

from capsnet_explorer.pictures.decoding.errors import Refusal
from capsnet_explorer.pictures.decoding.limits import limit_memory, limited_time
from capsnet_explorer.pictures.decoding.reading import read
from capsnet_explorer.pictures.decoding.wire import (
    READY,
    receive_file,
    send_picture,
    send_refusal,
)


def main() -> None:
    """Decode files until standard input ends."""
    limit_memory()
    logging.disable()  # Pillow logs what is wrong with files
    answers = _own_output()
    try:
        answers.write(READY)
        answers.flush()
    except BrokenPipeError:  # the server has ended meanwhile
        os._exit(0)
    while (question := receive_file(sys.stdin.buffer)) is not None:
        try:
            with limited_time():
                picture = read(*question)
        except Refusal as refusal:
            send_refusal(answers, refusal)
        else:
            send_picture(answers, picture)
            del picture
        del question  # frees its memory while waiting for the next one


def _own_output() -> BinaryIO:
    """Return standard output for exclusive use, and silence libraries.

    What libraries print about damaged files is discarded. Python's own messages about a
    bug still go to standard error.
    """
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    words = os.fdopen(os.dup(sys.stderr.fileno()), "w", buffering=1)
    with open(os.devnull, "wb") as nowhere:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(nowhere.fileno(), stream.fileno())
    sys.stderr = words
    return answers


if __name__ == "__main__":
    main()
