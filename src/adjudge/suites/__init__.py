"""The suites that come with adjudge; each is independent of the others."""
