"""How a played run is reported: how conversations ended, and what each agent took."""
