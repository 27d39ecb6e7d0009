"""Passes whose routing must be the same, iteration by iteration."""

from torch.testing import assert_close

FIGURES = ("assignments", "means", "variances", "costs", "logits")


def assert_same_routing(trace, expected):
    """Fail unless each figure of each iteration is as in another pass."""
    for name in ("caps1", "caps2", "class_capsules"):
        routed, routed_before = getattr(trace, name), getattr(expected, name)
        for step, twin in zip(routed.steps, routed_before.steps, strict=True):
            for figure in FIGURES:
                assert_close(
                    getattr(step, figure),
                    getattr(twin, figure).float(),
                    rtol=1e-3,
                    atol=1e-5,
                    msg=lambda text, what=(name, figure): f"{what}: {text}",
                )
        assert_close(routed.votes, routed_before.votes.float(), rtol=1e-3, atol=1e-5)
