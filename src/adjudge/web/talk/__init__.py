"""A conversation as a page sets it: speakers, units of turns with their marks, lanes, and differences of two."""
