"""From files to consultations: formats, transcripts, profiles, and who speaks."""
