"""Play: conversations that are made here. Participants are plain functions that ask, and the engine answers."""
