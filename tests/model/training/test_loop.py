"""The training loop: rates, steps, means and the log."""

import dataclasses

import pytest
import torch
from torch.testing import assert_close

from capsnet_explorer.model.capsnet.config import LossConfig
from capsnet_explorer.model.data.batches import epoch_batches
from capsnet_explorer.model.margin_loss import margin_losses, reconstruction_loss
from capsnet_explorer.model.presence import multi_hot
from capsnet_explorer.model.recipe import TrainingConfig
from capsnet_explorer.model.training import loop as training
from capsnet_explorer.model.training.log import LogRow
from capsnet_explorer.model.training.loop import Stopped, TrainingError
from capsnet_explorer.model.training.schedule import learning_rate
from tests.model.training.reports import ignore, rows_of, stop_after


def test_a_line_of_the_log_is_the_mean_over_images_since_the_line_before(
    make_trainer, monkeypatch
):
    monkeypatch.setattr(training, "LOG_EVERY", 2)
    trainer, figures = make_trainer(), []
    step = trainer.step

    def watched(batch, rate):
        means = step(batch, rate)
        figures.append((len(batch.labels), means.tolist()))
        return means

    trainer.step = watched
    trainer.run(ignore)
    rows = rows_of(trainer.folder.log)
    assert [row["step"] for row in rows] == [str(step) for step in range(2, 17, 2)]
    assert [float(row["epoch"]) for row in rows[:2]] == [0.5, 1.0]
    names = [field.name for field in dataclasses.fields(LogRow)]
    assert [*rows[0], "further"] == names  # none, for a CapsNet
    for number, row in enumerate(rows):
        (first, means_of_first), (second, means_of_second) = figures[
            2 * number : 2 * number + 2
        ]
        means = [
            (first * a + second * b) / (first + second)
            for a, b in zip(means_of_first, means_of_second, strict=True)
        ]
        names = ("class_loss", "reconstruction_loss", "further_loss", "accuracy")
        logged = [row[name] for name in names]
        assert [float(value) for value in logged] == pytest.approx(means, rel=1e-5)
        assert float(row["loss"]) == pytest.approx(sum(means[:3]), rel=1e-5)


def test_a_step_is_adams_on_the_sum_of_both_losses(make_trainer, digits, recipe):
    trainer, same = make_trainer(), make_trainer()
    batch = epoch_batches(digits, recipe, epoch=0)[0].read()
    figures = trainer.step(batch, 0.01)

    trace = same.network(batch.images, keep=batch.labels)
    present = multi_hot(batch.labels, 3)
    margin = margin_losses(trace.lengths, present, LossConfig()).mean()
    drawn = reconstruction_loss(trace.reconstruction, batch.images, 0.0005)
    (margin + drawn).backward()
    torch.optim.Adam(same.network.parameters(), lr=0.01).step()

    right = (trace.lengths.argmax(dim=1) == batch.labels).float().mean()
    assert_close(figures, torch.stack([margin, drawn, torch.zeros(()), right]).detach())
    for parameter, twin in zip(
        trainer.network.parameters(), same.network.parameters(), strict=True
    ):
        assert_close(parameter, twin)


def test_training_learns_the_synthetic_digits(make_trainer):
    losses = []
    recipe = TrainingConfig(
        epochs=30, batch_size=5, schedule="cosine", warmup_steps=5, shift=0
    )
    trainer = make_trainer(training=dataclasses.replace(recipe, learning_rate=0.01))
    trainer.run(lambda row, _count: losses.append((row.class_loss, row.accuracy)))
    assert losses[-1][0] < losses[0][0] / 3
    assert losses[-1][1] > 0.9


def test_what_is_kept_is_the_running_mean_of_the_weights(make_trainer, recipe):
    trainer = make_trainer(training=dataclasses.replace(recipe, averaging=0.3))
    mean, steps = trainer.network.conv1.bias.detach().clone(), []

    def follow(row, _count):
        nonlocal mean
        # After 1, 2, 3 and 4 steps the mean has kept 1/10, 2/11, 3/12 and 3/10 ...
        kept = min(0.3, row.step / (9 + row.step))
        mean = kept * mean + (1 - kept) * trainer.network.conv1.bias.detach()
        steps.append(kept)

    network = trainer.run(follow)
    assert steps[:4] == pytest.approx([1 / 10, 2 / 11, 3 / 12, 0.3])
    assert_close(network.conv1.bias, mean)
    assert not torch.equal(network.conv1.bias, trainer.network.conv1.bias)


def test_each_epoch_sees_every_image_once_at_the_rates_of_the_schedule(
    make_trainer, recipe
):
    reports = []
    make_trainer().run(
        lambda row, count: reports.append((row.step, count, row.learning_rate))
    )
    steps, counts, rates = zip(*reports, strict=True)
    assert steps == tuple(range(1, 17))
    assert counts == 4 * (5, 5, 5, 2)
    assert [*rates] == [learning_rate(step, 16, recipe) for step in range(16)]


def test_held_out_images_are_not_trained_on_and_are_read_at_each_epochs_end(
    make_trainer, digits, recipe
):
    accuracies = []
    recipe = dataclasses.replace(recipe, validation=7)
    trainer = make_trainer(training=recipe)
    trainer.run(lambda row, _: accuracies.append(row.validation_accuracy))

    assert (len(trainer.training_part), trainer.steps_per_epoch) == (10, 2)
    assert accuracies[::2] == 4 * [None]
    with torch.no_grad():
        lengths = trainer.network(digits.images[10:].float() / 255).lengths
    right = (lengths.argmax(dim=1) == digits.labels[10:]).float().mean().item()
    assert accuracies[-1] == pytest.approx(right)


@pytest.mark.parametrize("held_out", [17, 18])
def test_holding_out_every_image_is_refused(make_trainer, recipe, held_out):
    message = f"must leave training images, got {held_out} of 17"
    with pytest.raises(ValueError, match=message):
        make_trainer(training=dataclasses.replace(recipe, validation=held_out))


def test_a_loss_that_is_no_number_ends_the_run_and_is_not_saved(make_trainer):
    trainer = make_trainer()
    with pytest.raises(Stopped):
        trainer.run(stop_after(3))
    before = trainer.folder.checkpoint.read_bytes()
    with torch.no_grad():
        trainer.network.conv1.bias.fill_(torch.nan)
    with pytest.raises(TrainingError, match="the loss is nan after step 4"):
        trainer.run(ignore)
    assert trainer.folder.checkpoint.read_bytes() == before


def test_elsewhere_than_on_a_cpu_figures_are_read_only_for_the_log(
    make_trainer, monkeypatch
):
    """Reading a figure makes a GPU wait."""
    monkeypatch.setattr(training, "LOG_EVERY", 3)
    trainer, reports = make_trainer(), []
    trainer.reads_each_step = False
    trainer.run(lambda row, count: reports.append((row.step, count)))
    by_hand = [(3, 15), (4, 2), (6, 10), (8, 7), (9, 5), (12, 12), (15, 15), (16, 2)]
    assert reports == by_hand
    assert [int(row["step"]) for row in rows_of(trainer.folder.log)] == [
        step for step, _ in reports
    ]
