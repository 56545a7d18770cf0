#!/usr/bin/env python3
"""Makes one page of results; --help says how."""

import sys

from redux_tools.bootstrap import use_project_environment

if __name__ == "__main__":
    use_project_environment()
    from redux_tools.report_cli import main

    sys.exit(main())
