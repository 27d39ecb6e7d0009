"""`python -m model` in a checkout does what `python -m capsnet_explorer` does."""

import sys

from capsnet_explorer.server import main

if __name__ == "__main__":
    sys.exit(main())
