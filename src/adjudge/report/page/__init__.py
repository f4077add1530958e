"""What all pages share: the frame with its style sheet, plots as SVG, and how records and cards are shown."""
