"""Groups with planted conflicts, and catalogues with several cities, for plays without files."""
