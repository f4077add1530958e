"""Pages about all runs below a folder, served on this machine or written as files."""
