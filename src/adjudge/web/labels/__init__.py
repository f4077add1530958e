"""Labels by people: the queue, the questions, and the files that answers are appended to."""
