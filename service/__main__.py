"""The command line: `python -m service`, or `thirteens`. Without a command it serves."""

import sys

from service.cli import main

if __name__ == "__main__":
    sys.exit(main())
