"""The report of a calibration: in the terminal, as files and as a page."""
