"""What each page shows, gathered once; the templates only set it."""
