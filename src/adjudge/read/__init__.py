"""Files to raw rows, and raw rows to typed records, with the place of every fault."""
