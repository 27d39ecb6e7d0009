"""A tiny network whose names are markup, in Python that describes it."""

EVIL = '</script><img src="http://host/" onerror="hurt=1">&"<!--'
NETWORK = f"""
import torch
from torch import nn
import capsnet_explorer as ce

def squash(vectors):
    length = vectors.norm(dim=-1, keepdim=True)
    return length**2 / (1 + length**2) * vectors / (length + 1e-8)

class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 9, stride=2)
        self.W = nn.Parameter(0.5 * torch.randn(2 * 25, 3, 6, 4))
        self.primary = nn.Conv2d(8, 8, 2, stride=2)
        self.decoder = nn.Sequential(nn.Linear(18, 784), nn.Sigmoid())

    def forward(self, images):
        maps = self.primary(torch.relu(self.conv(images)))
        capsules = maps.view(len(maps), 2, 4, 5, 5).permute(0, 1, 3, 4, 2)
        votes = torch.einsum("ijdp,bip->bijd", self.W, squash(capsules.flatten(1, 3)))
        logits = torch.zeros(votes.shape[:3])
        for _ in range(3):
            digits = squash((logits.softmax(dim=2)[..., None] * votes).sum(dim=1))
            logits = logits + (votes * digits[:, None]).sum(dim=-1)
        return digits.norm(dim=-1), digits

torch.manual_seed(1)
net = Tiny()
ce.describe(
    net,
    [
        ce.Convolution("conv1", net.conv, title={EVIL!r}),
        ce.Capsules("primary", net.primary, size=4, below="conv1"),
        ce.Routing("routing", lambda: net.W, below="primary"),
        ce.Classes(),
        ce.Decoder(net.decoder),
    ],
    torch.rand(8, 1, 28, 28),
    scores=lambda answer: answer[0],
    class_names=[{EVIL!r}, "b", "c"],
    title={EVIL!r},
)
"""
