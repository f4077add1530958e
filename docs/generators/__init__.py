"""What writes the generated pages of the reference, one module a kind of page."""
