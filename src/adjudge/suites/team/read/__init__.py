"""Reads conversations from the logs of any tool that `adjudge convert` knows."""
