"""The systems that come with adjudge, one package a suite: each has a `setup`, and modules that declare systems."""
