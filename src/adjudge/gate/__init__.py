"""Gates: rules that a run must pass, each with the measured value and the conversations that broke it."""
