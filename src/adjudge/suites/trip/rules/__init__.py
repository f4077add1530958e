"""Rules: what members want, what the assistant did about it, and what a plan holds, costs and lacks."""
