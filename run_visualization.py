"""Start the explorer; it prints the address to open in a browser."""

import sys

from capsnet_explorer.server import main

if __name__ == "__main__":
    sys.exit(main())
