"""Sets of symbols of one's own: what a file must be, and what comes of it."""

import copy
import json

import numpy as np
import pytest

from capsnet_explorer.datasets.catalogue import DATASETS
from capsnet_explorer.datasets.idx import BrokenFile
from capsnet_explorer.datasets.parts import class_names_in
from capsnet_explorer.datasets.symbols import (
    EACH_EPOCH,
    checked_symbols,
    read_symbols,
)
from capsnet_explorer.model.data.files import DataError, check_files
from capsnet_explorer.model.data.loading import load_part
from tests.symbols import symbol_set

SYMBOLS = DATASETS["symbols"]


def test_a_set_is_read_as_it_was_written(tmp_path):
    symbols = checked_symbols(symbol_set())
    file = tmp_path / "symbols.json"
    file.write_text(symbols.text(), "utf-8")
    other = read_symbols(file)
    assert other.names == symbols.names == ("lying", "ᚠ")
    for some, others in zip(symbols.examples, other.examples, strict=True):
        np.testing.assert_array_equal(some, others)
    assert symbols.examples[0][0, 0, 12].tolist() == [0] * 5 + [255] * 18 + [0] * 5


@pytest.mark.parametrize("examples", [2, 3, 6])
def test_the_last_example_of_each_symbol_is_never_trained_on(examples):
    symbols_read = checked_symbols(symbol_set(examples=examples))
    images, labels = symbols_read.part(train=True)
    assert np.bincount(labels).tolist() == [EACH_EPOCH // 2] * 2
    tested, answers = symbols_read.part(train=False)
    assert answers.tolist() == [0, 1]
    for label, some in enumerate(symbols_read.examples):
        np.testing.assert_array_equal(tested[label], some[-1])
        examples_of_one = images[labels == label]
        assert len(np.unique(examples_of_one, axis=0)) == examples - 1
        assert not (examples_of_one == some[-1]).all(axis=(1, 2, 3)).any()


def changed(change):
    content = copy.deepcopy(symbol_set())
    change(content)
    return content


def with_example(text):
    return changed(lambda file: file["symbols"][0]["examples"].__setitem__(1, text))


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ([], '"format": "capsnet-symbols"'),
        (changed(lambda file: file.update(format="x")), '"format": "capsnet-symbols"'),
        (changed(lambda file: file.update(version=2)), "version must be 1, got 2"),
        (changed(lambda file: file.pop("version")), "version must be 1, got nothing"),
        (changed(lambda file: file.pop("symbols")), "2 to 10 symbols, got nothing"),
        (changed(lambda file: file["symbols"].pop()), "2 to 10 symbols, got 1"),
        (
            changed(lambda file: file.update(symbols=[{}] * 11)),
            "2 to 10 symbols, got 11",
        ),
        (changed(lambda file: file["symbols"][0].pop("name")), "symbol 1 must have a"),
        (
            changed(lambda file: file["symbols"][1].update(name="x" * 21)),
            "symbol 2 must have a name of 1 to 20 characters, got 'xxx",
        ),
        (changed(lambda file: file["symbols"][1].update(name=" ")), "got ' '"),
        (changed(lambda file: file["symbols"][1].update(name="a\nb")), "symbol 2 must"),
        (changed(lambda file: file["symbols"][1].update(name="lying")), "two lying"),
        (
            changed(lambda file: file["symbols"][0]["examples"].__delitem__(slice(2))),
            "lying must have 2 to 50 examples, got 1",
        ),
        (
            changed(lambda file: file["symbols"][0].update(examples=["x"] * 51)),
            "2 to 50 examples, got 51",
        ),
        (with_example(7), "example 2 of lying must be 784 bytes in base64"),
        (with_example("é"), "example 2 of lying must be 784 bytes in base64"),
        (with_example("AAAA"), "784 bytes in base64, got 3"),
        (with_example("A" * 1046), "must show something, got an empty image"),
    ],
)
def test_what_is_no_set_is_told(file, words, tmp_path):
    with pytest.raises(BrokenFile, match=words):
        checked_symbols(file)
    (tmp_path / "symbols.json").write_text(json.dumps(file))
    with pytest.raises(DataError, match=words):
        load_part(SYMBOLS, tmp_path, train=True)


def test_a_file_that_is_no_json_or_not_there_is_told(tmp_path):
    with pytest.raises(DataError, match="must hold a set of symbols"):
        load_part(SYMBOLS, tmp_path, train=False)
    (tmp_path / "symbols.json").write_bytes(b"\xff{")
    with pytest.raises(DataError, match="must be a JSON file"):
        load_part(SYMBOLS, tmp_path, train=True)


def test_a_set_is_loaded_as_any_data_set(tmp_path):
    (tmp_path / "symbols.json").write_text(json.dumps(symbol_set()))
    check_files(SYMBOLS, tmp_path)
    assert class_names_in(SYMBOLS, tmp_path, 2) == ["lying", "ᚠ"]
    part = load_part(SYMBOLS, tmp_path, train=True)
    assert part.shape == (1, 28, 28)
    assert (len(part), part.classes) == (EACH_EPOCH, 2)
    assert len(load_part(SYMBOLS, tmp_path, train=False)) == 2
