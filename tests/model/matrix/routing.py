"""Passes whose routing must be the same, iteration by iteration."""

from torch.testing import assert_close

FIGURES = ("assignments", "means", "variances", "costs", "logits")


def assert_same_routing(found, expected):
    """Fail unless each figure of each iteration is as in another pass."""
    for name in ("caps1", "caps2", "class_capsules"):
        one, other = getattr(found, name), getattr(expected, name)
        for step, twin in zip(one.steps, other.steps, strict=True):
            for figure in FIGURES:
                assert_close(
                    getattr(step, figure),
                    getattr(twin, figure).float(),
                    rtol=1e-3,
                    atol=1e-5,
                    msg=lambda text, what=(name, figure): f"{what}: {text}",
                )
        assert_close(one.votes, other.votes.float(), rtol=1e-3, atol=1e-5)
