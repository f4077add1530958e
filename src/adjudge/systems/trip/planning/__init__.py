"""The planner by rule: it searches a catalogue for the plan that serves the group best."""
