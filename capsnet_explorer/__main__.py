"""`python -m capsnet_explorer` starts the server, or runs a command."""

import sys

from capsnet_explorer.command import main

sys.exit(main())
