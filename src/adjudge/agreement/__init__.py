"""How far judges agree with people, and what their scores are worth once corrected by people's labels."""
