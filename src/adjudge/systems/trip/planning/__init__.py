"""The rule-based planner, which searches a catalogue for the plan that serves the group best."""
