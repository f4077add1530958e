"""Rules that read wishes, dialogues and plans; the metrics are built from them."""
