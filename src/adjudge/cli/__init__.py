"""The command line: one file a verb, each imported only when it is called."""
