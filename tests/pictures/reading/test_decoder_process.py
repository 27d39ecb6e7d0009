"""Whatever happens to the process that decodes, the one that asks goes on."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from capsnet_explorer.pictures.decoding.errors import Damaged, TooMuch
from capsnet_explorer.pictures.reading.decoder_pool import DecoderPool
from capsnet_explorer.pictures.reading.decoder_process import (
    ROOT,
    DecoderDied,
    DecoderProcess,
    NotStarted,
)
from capsnet_explorer.pictures.reading.errors import Busy
from tests.intake_pictures import drawn_five, encoded
from tests.patience import PATIENCE_S

FAKE = (sys.executable, "-m", "tests.fake_decoder")
PNG = encoded(drawn_five())
LATE_S = 0.5  # to wait for an answer that never comes

on_linux = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="asks Linux about processes"
)
on_posix = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")


def fake(**settings):
    patient = {"start_s": PATIENCE_S, "answer_s": PATIENCE_S}
    return DecoderProcess(FAKE, **patient | settings)


@pytest.fixture
def process():
    process = fake()
    yield process
    process.kill()


@pytest.fixture
def pool():
    pool = DecoderPool(start=fake)
    yield pool
    pool.close()


def pid_of(pool):
    (process,) = pool._idle
    return process.pid


def has_ended(pid):
    """Wait for a process to end; tell whether it did."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        status = Path(f"/proc/{pid}/status")
        try:
            if "State:\tZ" in status.read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def value(picture):
    return picture.getpixel((0, 0))


def test_a_refusal_comes_with_its_words(process):
    with pytest.raises(TooMuch, match=r"^that is très large$"):
        process.decode("refuse that is très large".encode())
    assert process.is_alive


@pytest.mark.parametrize(
    "data",
    [
        b"crash",
        b"exit",
        b"raw 0 1000 1000 1",
        b"raw 0 0 5 0",
        b"raw 2 1 1 3",
        b"raw 3 1 1 1",
        b"raw 99 0 0 1",
        b"raw 0 60000 60000 3600000000",
        b"stop",
    ],
)
def test_a_process_that_makes_no_sense_is_ended(process, data):
    with pytest.raises(DecoderDied) as caught:
        process.decode(data)
    assert not process.is_alive
    assert not caught.value.is_late


@pytest.mark.parametrize("data", [b"hang", b"raw 1 1 1 4000"])
def test_a_process_that_does_not_finish_is_ended(data):
    process = fake(answer_s=LATE_S)
    with pytest.raises(DecoderDied) as caught:
        process.decode(data)
    assert not process.is_alive
    assert caught.value.is_late


def test_a_file_larger_than_any_pipe_is_sent(process):
    assert value(process.decode(bytes(9_000_000) + b"\x05")) == 5


@on_posix
def test_a_program_that_stops_listening_is_ended():
    process = DecoderProcess(
        (sys.executable, "-c", "print('R', end='', flush=True); input(); input()"),
        start_s=PATIENCE_S,
        answer_s=LATE_S,
    )
    with pytest.raises(DecoderDied):
        process.decode(bytes(9_000_000))
    assert not process.is_alive


@pytest.mark.parametrize(
    "code", ["import time; time.sleep(60)", "pass", "print('no', flush=True); input()"]
)
def test_a_program_that_does_not_start_is_no_fault_of_the_file(code):
    command = (sys.executable, "-c", code)
    process = DecoderProcess(command, start_s=LATE_S)
    with pytest.raises(NotStarted):
        process.decode(PNG)
    pool = DecoderPool(start=lambda: DecoderProcess(command, start_s=LATE_S))
    with pytest.raises(Busy):
        pool.decode(PNG)


def test_without_any_program_the_server_is_unable():
    pool = DecoderPool(start=lambda: DecoderProcess(("/no/such/program",)))
    pool.warm_up()
    with pytest.raises(Busy, match="cannot read pictures now"):
        pool.decode(PNG)


@pytest.mark.parametrize(
    ("data", "answer_s", "words"),
    [
        (b"crash", PATIENCE_S, "so damaged"),
        (b"hang", LATE_S, "takes too long"),
    ],
)
def test_a_file_that_takes_its_decoder_down_is_told_so_and_others_go_on(
    pool, data, answer_s, words
):
    assert value(pool.decode(b"1")) == ord("1")
    before = pid_of(pool)
    pool._idle[0]._answer_s = answer_s
    with pytest.raises(Damaged, match=words):
        pool.decode(data)
    assert value(pool.decode(b"2")) == ord("2")
    assert pid_of(pool) != before


@on_posix
def test_a_file_whose_decoder_somebody_kills_is_read_by_another(pool, tmp_path):
    file = f"killed {tmp_path}/kills 1".encode()
    assert value(pool.decode(file)) == ord("1")
    file = f"killed {tmp_path}/more 2".encode()
    with pytest.raises(Damaged, match="so damaged"):
        pool.decode(file)
    assert (tmp_path / "more").read_bytes() == b"xx"
    assert value(pool.decode(b"2")) == ord("2")


@on_posix
def test_a_decoder_that_is_killed_while_it_starts_is_replaced():
    starts = []

    def start():
        starts.append(fake())
        if len(starts) == 1:
            os.kill(starts[0].pid, signal.SIGKILL)
        return starts[-1]

    pool = DecoderPool(start=start)
    assert value(pool.decode(b"2")) == ord("2")
    pool.close()


@on_posix
def test_a_process_that_was_killed_while_idle_is_replaced(pool):
    pool.decode(b"1")
    os.kill(pid_of(pool), signal.SIGKILL)
    (process,) = pool._idle
    process._process.wait()
    assert value(pool.decode(b"2")) == ord("2")


def test_many_threads_share_two_processes_and_get_their_own_pictures():
    started = []

    def start():
        started.append(fake())
        return started[-1]

    pool = DecoderPool(most_waiting=100, start=start)
    files = [bytes([number % 256]) for number in range(300)]
    with ThreadPoolExecutor(20) as threads:
        pictures = list(threads.map(pool.decode, files))
    assert list(map(value, pictures)) == [file[0] for file in files]
    assert len(started) <= 2
    pool.close()
    assert not any(process.is_alive for process in started)


def test_when_too_many_wait_the_next_is_told_at_once(tmp_path):
    pool = DecoderPool(1, 2, start=fake)
    gate = tmp_path / "gate"
    until_open = f"until {gate}".encode()
    with ThreadPoolExecutor(3) as threads:
        try:
            waiting = [threads.submit(pool.decode, until_open) for _ in range(3)]
            while pool._inside < 3:
                time.sleep(0.01)
            with pytest.raises(Busy, match="2 pictures are already waiting"):
                pool.decode(b"4")
        finally:
            gate.touch()
        assert [value(future.result()) for future in waiting] == [ord("e")] * 3
    assert value(pool.decode(b"4")) == ord("4")
    pool.close()


def test_whatever_is_set_goes_around_every_wait_for_a_process(pool):
    events = []

    @contextmanager
    def around():
        events.append("begins")
        try:
            yield
        finally:
            events.append("ends")

    pool.around = around
    pool.decode(b"1")
    with pytest.raises(Damaged):
        pool.decode(b"crash")
    assert events == ["begins", "ends"] * 2


# The real program.


PARENT = """
import sys, time
from capsnet_explorer.pictures.reading.decode import decode, decoders
from tests.intake_pictures import drawn_five, encoded
decode(encoded(drawn_five()))
print(decoders._idle[-1].pid, flush=True)
input()
"""


@on_linux
@pytest.mark.parametrize("stop", ["end", "kill"])
def test_no_process_outlives_the_server(stop):
    with subprocess.Popen(
        [sys.executable, "-c", PARENT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as server:
        pid = int(server.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        server.kill() if stop == "kill" else server.communicate(b"\n")
    assert has_ended(pid)


FORKING = """
import os, sys
from capsnet_explorer.pictures.reading.decode import decode, decoders
from tests.intake_pictures import drawn_five, encoded
file = encoded(drawn_five())
decode(file)
first = decoders._idle[-1].pid
if (child := os.fork()) == 0:
    decode(file)
    sys.exit(0 if decoders._idle[-1].pid != first else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
decode(file)
assert decoders._idle[-1].pid == first
"""


@on_posix
def test_a_forked_worker_has_processes_of_its_own():
    command = [sys.executable, "-W", "error", "-c", FORKING]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_the_program_imports_nothing_large():
    code = (
        "import sys, capsnet_explorer.pictures.decoding.__main__; print(*sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True
    )
    modules = set(result.stdout.split())
    assert "capsnet_explorer.pictures.decoding.reading" in modules
    assert not modules & {"app", "flask", "numpy", "torch", "asyncio", "ctypes"}
