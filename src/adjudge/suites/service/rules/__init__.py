"""Rules that the service metrics share: states, values, bookings, databases, replies."""
