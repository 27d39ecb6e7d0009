"""A program in the place of the one that decodes, which does as the file says."""

import os
import signal
import sys
import time

from PIL import Image

from capsnet_explorer.pictures.decoding.errors import TooMuch
from capsnet_explorer.pictures.decoding.wire import (
    HEADER,
    READY,
    receive_file,
    send_picture,
    send_refusal,
)


def main() -> None:
    """Answer with a picture of one pixel, unless something else is asked."""
    answers = sys.stdout.buffer
    answers.write(READY)
    answers.flush()
    while (question := receive_file(sys.stdin.buffer)) is not None:
        data, _ = question
        match data.split():
            case [b"raw", *numbers]:
                answers.write(HEADER.pack(*map(int, numbers)) + bytes(100))
                answers.flush()
            case [b"refuse", *words]:
                send_refusal(answers, TooMuch(b" ".join(words).decode()))
                continue
            case words:
                misbehave(words)
        send_picture(answers, Image.new("L", (1, 1), data[-1] if data else 0))


def misbehave(words: list[bytes]) -> None:
    """Do to this process what is asked, if anything is."""
    match words:
        case [b"crash"]:
            os.kill(os.getpid(), signal.SIGSEGV)
        case [b"exit"]:
            sys.exit(3)
        case [b"killed", path, times]:
            with open(path, "ab") as file:
                file.write(b"x")
                is_over = file.tell() > int(times)
            if not is_over:
                os.kill(os.getpid(), signal.SIGKILL)
        case [b"hang"]:
            time.sleep(600)
        case [b"stop"]:
            os.close(sys.stdout.fileno())
            time.sleep(600)
        case [b"until", path]:
            while not os.path.exists(path):
                time.sleep(0.01)


if __name__ == "__main__":
    main()
