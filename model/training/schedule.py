"""The learning rate over the steps of a run."""

import math

from capsnet_explorer.model.recipe import TrainingConfig


def learning_rate(step: int, total_steps: int, config: TrainingConfig) -> float:
    """Return Adam's rate for step 0, 1, ..., total_steps - 1."""
    if config.schedule == "exponential":
        return config.learning_rate * config.decay ** (step / config.decay_steps)
    warmup = min(config.warmup_steps, total_steps)
    if step < warmup:
        return config.learning_rate * (step + 1) / warmup
    done = (step - warmup) / max(1, total_steps - warmup)
    return config.learning_rate * (1 + math.cos(math.pi * done)) / 2
