"""Gates: rules that a run must pass, each with what was found and the conversations that broke it."""
