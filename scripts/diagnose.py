#!/usr/bin/env python3
"""Says why cases are slow; --help says how."""

import sys

from redux_tools.bootstrap import use_project_environment

if __name__ == "__main__":
    use_project_environment()
    from redux_tools.diagnose_cli import main

    sys.exit(main())
