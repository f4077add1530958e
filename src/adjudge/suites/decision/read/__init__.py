"""Reading decisions: our own records, files of decision systems, tables of human groups."""
