"""From run folders to what people read: terminal tables, pages, Markdown, CSV, JSON and figures for papers.

One package for each thing that is reported, `run`, `comparison`, `calibration` and `gate`, each with its words, its
terminal tables, its files and its page; the modules beside them hold what they share.
"""
