"""The rules that read what patients say, and the questions that a judge is asked."""
