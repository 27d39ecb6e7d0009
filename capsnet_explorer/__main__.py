"""`python -m capsnet_explorer` starts the server, or runs a command."""

import sys

from capsnet_explorer.server import main

sys.exit(main())
