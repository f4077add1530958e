"""Reading service dialogues: gold files, prediction files and our own records."""
