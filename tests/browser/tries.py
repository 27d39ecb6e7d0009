"""What every view and experiment says to try first, and what its button does."""

# The name under which the browser remembers it: the link that opens the panel, and what
# the address says once the button has been pressed.
TRIES = {
    "input": ("view=input", "view=conv1"),
    "compare": ("view=compare", "kept-sample=four-open"),
    "capsnet/conv1": ("view=conv1", "order=energy"),
    "capsnet/primary": ("view=primary", r"capsule=\d+"),
    "capsnet/routing": ("view=routing", "step=1"),
    "capsnet/digits": ("view=digits", r"digit=\d"),
    "capsnet/reconstruction": ("view=reconstruction", r"edit=\d%3A\d+%3D"),
    "cnn/conv1": ("model=cnn-mnist&view=conv1", "order=energy"),
    "cnn/pool1": ("model=cnn-mnist&view=pool1", "pooling=lost"),
    "cnn/conv2": ("model=cnn-mnist&view=conv2", "order2=energy"),
    "cnn/pool2": ("model=cnn-mnist&view=pool2", "pooling=lost"),
    "cnn/hidden": ("model=cnn-mnist&view=hidden", "units=given&units-order=given"),
    "cnn/probabilities": ("model=cnn-mnist&view=probabilities", r"digit=\d"),
    "matrix/conv1": ("model=matrix-mnist&view=conv1", "order=energy"),
    "matrix/primary": ("model=matrix-mnist&view=primary", r"primary=\d+"),
    "matrix/caps1": ("model=matrix-mnist&view=caps1", r"caps1=\d+"),
    "matrix/caps2": ("model=matrix-mnist&view=caps2", r"caps2=\d+"),
    "matrix/routing": ("model=matrix-mnist&view=routing", "step=1"),
    "matrix/classes": ("model=matrix-mnist&view=classes", r"digit=\d"),
    "matrix/reconstruction": (
        "model=matrix-mnist&view=reconstruction",
        r"edit=\d%3A\d+%3D",
    ),
    "efficient/conv1": ("model=efficient-mnist&view=conv1", "order=energy"),
    "efficient/conv2": ("model=efficient-mnist&view=conv2", "order2=energy"),
    "efficient/conv3": ("model=efficient-mnist&view=conv3", "order3=energy"),
    "efficient/conv4": ("model=efficient-mnist&view=conv4", "order4=energy"),
    "efficient/primary": ("model=efficient-mnist&view=primary", r"capsule=\d+"),
    "efficient/routing": ("model=efficient-mnist&view=routing", r"capsule=\d+"),
    "efficient/classes": ("model=efficient-mnist&view=classes", r"digit=\d"),
    "efficient/reconstruction": (
        "model=efficient-mnist&view=reconstruction",
        r"edit=\d%3A\d+%3D",
    ),
    "lab/pose": ("mode=lab&experiment=pose", "scale=0.4"),
    "lab/parts": ("mode=lab&experiment=parts", r"parts=\w+"),
    "lab/attack": ("mode=lab&experiment=attack", "attack=bim"),
    "lab/crossing": (
        "mode=lab&experiment=crossing&model=capsnet-overlapping",
        "down=-8",
    ),
    "lab/sides": ("mode=lab&experiment=sides&model=matrix-toys", "elevation=90"),
}
