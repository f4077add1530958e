"""`python -m adjudge` is the same as the command `adjudge`."""

from adjudge.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
