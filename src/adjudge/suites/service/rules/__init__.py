"""What the metrics of service dialogues share: states, values, bookings, databases, replies."""
