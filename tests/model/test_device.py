"""Which device computes, told without having one."""

import ctypes
import os
import sys

import pytest
import torch

from capsnet_explorer.model.device import (
    best_device,
    chosen_device,
    has_fast_bfloat16,
    keep_large_buffers,
    leave_a_core,
)


@pytest.mark.parametrize(
    ("cuda", "mps", "expected"),
    [
        (True, True, "cuda"),
        (True, False, "cuda"),
        (False, True, "mps"),
        (False, False, "cpu"),
    ],
)
def test_auto_takes_cuda_else_mps_else_the_cpu(monkeypatch, cuda, mps, expected):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert best_device().type == expected
    assert chosen_device("auto").type == expected


def test_the_named_device_is_taken(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert chosen_device("cpu").type == "cpu"


@pytest.mark.parametrize("name", ["cuda", "mps", "abacus"])
def test_a_device_that_is_not_here_is_refused(monkeypatch, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    with pytest.raises(ValueError, match=f"device {name} is not available here"):
        chosen_device(name)


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [
        ({"avx512_bf16": True}, True),
        ({"amx_bf16": True}, True),
        ({"avx2": True}, False),
    ],
)
def test_bfloat16_is_fast_where_the_cpu_computes_it(
    monkeypatch, capabilities, expected
):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    assert has_fast_bfloat16(torch.device("cpu")) is expected


@pytest.mark.parametrize(("cores", "expected"), [(8, 7), (2, 1), (1, 1)])
def test_one_core_is_left_to_the_rest(monkeypatch, cores, expected):
    threads = []
    monkeypatch.setattr(torch, "get_num_threads", lambda: cores)
    monkeypatch.setattr(torch, "set_num_threads", threads.append)
    leave_a_core()
    assert threads == [expected]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a setting of glibc")
def test_glibc_can_be_asked_to_keep_large_buffers():
    """In a process of its own: the setting cannot be taken back."""
    child = os.fork()
    if child == 0:
        has_setting = hasattr(ctypes.CDLL(None), "mallopt")
        os._exit(0 if keep_large_buffers() == has_setting else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
