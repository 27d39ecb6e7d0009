"""A process that has imported what training needs, and waits for a run's arguments.

Importing takes longer than everything else before the first step.
"""

import json
import os
import sys


def main() -> int:
    """Import, wait for a line on standard input, and run what it says.

    The line is a JSON object: `arguments` are those of `python -m capsnet_explorer`,
    and what they print goes to the file `output`. An input that ends without a line
    asks for nothing.
    """
    import torch._dynamo  # of which the optimizers need a part  # noqa: F401

    import capsnet_explorer.model.training.run  # noqa: F401
    from capsnet_explorer import commands

    line = sys.stdin.readline()
    if not line.strip():
        return 0
    asked = json.loads(line)
    with open(asked["output"], "wb") as output, open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    sys.argv[1:] = asked["arguments"]  # as the run's card tells them
    return commands.main(asked["arguments"])


if __name__ == "__main__":
    sys.exit(main())
