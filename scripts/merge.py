#!/usr/bin/env python3
"""Puts the shards of one run into one file; --help says how."""

import sys

from redux_tools.bootstrap import use_project_environment

if __name__ == "__main__":
    use_project_environment()
    from redux_tools.merge_cli import main

    sys.exit(main())
