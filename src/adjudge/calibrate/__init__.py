"""Calibration: a run's scores beside what people said of the same things."""
