"""The metrics of the service suite; this folder is their registry."""
