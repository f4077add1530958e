"""LaTeX files: booktabs tables whose text cannot become a command, and which compile where LaTeX is installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from adjudge.cli.main import main
from adjudge.report.latex import escape_latex, latex_document, latex_paragraph, latex_table
from adjudge.report.table import Cell, TextTable
from adjudge.score import find_suite

HOSTILE = '\\input{/etc/passwd} $x^2$ & 50% #1 ~ _a_ {b} [c] \u202e\u2603 \N{CYRILLIC SMALL LETTER A} é\nnew | <">'
COMMANDS = (
    r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textquotedbl|texttt"
    r"|allowbreak)"
)


def test_text_from_data_holds_no_command_of_its_own() -> None:
    text = escape_latex(HOSTILE)
    left = re.sub(COMMANDS + r"|\\[{}$&#%_]", "", text)
    assert "\\" not in left
    assert not set(left) & set("$&#%^~_\n")
    assert r"\textbackslash{}input\{" in text
    assert left.count("{") == left.count("}")
    assert all(char.isascii() or char == "é" for char in text)


def test_a_table_has_a_line_for_each_row_and_the_rules_of_booktabs() -> None:
    table = TextTable(["metric", "value"], ["left", "right"], [[Cell("a & b"), Cell("[1]")], [Cell("c"), Cell("2")]])
    lines = latex_table(table, "all_arms").splitlines()
    assert lines[0] == r"\begin{longtable}{lr}"
    assert r"\toprule" in lines
    assert r"\bottomrule" in lines
    assert r"a \& b & {[}1{]} \\" in lines
    assert latex_table(TextTable(["a"], ["left"], []), "none") == ""


def test_a_paragraph_ends_in_one_full_stop_and_options_keep_both_hyphens() -> None:
    assert latex_paragraph("all of --metrics.") == latex_paragraph("all of --metrics")
    assert latex_paragraph("all of --metrics") == "\\noindent all of -{}-metrics.\n\n"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX")
def test_the_document_compiles(tmp_path: Path) -> None:
    table = TextTable([HOSTILE, "↑"], ["left", "right"], [[Cell(HOSTILE), Cell("–", "bad")]] * 3)
    (tmp_path / "t.tex").write_bytes(latex_document([latex_table(table, HOSTILE)]))
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True)


def test_report_compare_and_power_write_latex_and_power_also_writes_numbers(tmp_path: Path) -> None:
    run = tmp_path / "run"
    sample = str(find_suite("service").sample)
    assert main(["score", "service", sample, "-o", str(run), "-q", "--metrics", "slot_accuracy,inform"]) == 0
    for verb in ("report", "compare", "power"):
        assert main([verb, str(run), "-o", str(tmp_path / f"{verb}.tex"), "-q"]) == 0
        text = (tmp_path / f"{verb}.tex").read_text()
        assert r"slot\_\allowbreak{}accuracy" in text
        assert text.count(r"\begin{") == text.count(r"\end{")
    assert main(["power", str(run), "--difference", "0.1", "-o", str(tmp_path / "p.json"), "-q"]) == 0
    (row,) = json.loads((tmp_path / "p.json").read_text())["rows"]
    assert (row["metric"], row["cases"], row["difference"]) == ("slot_accuracy", [24], 0.1)
    assert row["smallest_difference"] > 0
    assert row["cases_needed"] > 1
