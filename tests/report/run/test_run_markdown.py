from __future__ import annotations

from pathlib import Path

import pytest
from example_run import HOSTILE, ROWS, make_run, manifest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from adjudge.core.mark import ScoreRow
from adjudge.report.markdown import escape
from adjudge.report.run.files import run_markdown
from adjudge.report.run.summary import RunSummary
from adjudge.report.text import one_line

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tokens(text: str) -> list[Token]:
    found = PARSER.parse(text)
    return found + [child for token in found for child in token.children or []]


def tables(text: str) -> list[list[str]]:
    """The cells of every line of every table, as a reader sees them."""
    lines: list[list[str]] = []
    for token in PARSER.parse(text):
        if token.type == "tr_open":
            lines.append([])
        elif token.type == "inline" and lines and token.level > 2:
            lines[-1].append("".join(child.content for child in token.children or []).replace("\u2060", ""))
    return lines


def test_the_table_has_a_line_per_metric_and_arm(summary: RunSummary) -> None:
    lines = tables(run_markdown(summary).decode())

    assert ["success", "↑", "ubar (81.2 %)", "0.600", "0.131–0.937", "5 conversations", "1", "0", "0"] in lines
    assert ["intent_accuracy", "↑", "ubar (81.2 %)", "skipped", "", "", "0", "6", "0"] in lines


def test_all_sections_are_there_in_order(summary: RunSummary) -> None:
    titles = [line[3:] for line in run_markdown(summary).decode().splitlines() if line.startswith("## ")]

    assert titles == [
        "Coverage",
        "Results",
        "Variants",
        "Skipped and failed",
        "By part of the system",
        "By group",
        "Worst conversations",
        "Inputs",
        "Settings",
        "Metrics",
    ]


def test_inputs_settings_and_glossary_are_said(summary: RunSummary) -> None:
    text = run_markdown(summary).decode()

    assert ["data/gold|1.json", "ab" * 32] in tables(text)
    assert "- Setting match: fuzzy 0.9" in text
    assert "- **hallucination** (H): How often is hallucination right? Lower is better." in text


def test_hostile_text_is_shown_and_does_nothing(summary: RunSummary) -> None:
    text = run_markdown(summary).decode()

    assert {"link_open", "image", "html_inline", "html_block", "code_inline"}.isdisjoint(
        token.type for token in tokens(text)
    )
    assert [one_line(HOSTILE)] == sorted({line[-1] for line in tables(text) if line[-1].startswith("<script>")})
    assert "\x1b" not in text
    assert "http://" not in text


def test_a_hostile_arm_keeps_the_table_whole(tmp_path: Path) -> None:
    arm = "a | b\n\n# title\n- `x` <img src=x>"
    rows = [ScoreRow(row.case, arm, row.scores) for row in ROWS if row.arm == "ubar"]
    lines = tables(run_markdown(RunSummary.of(make_run(tmp_path / "run", rows, manifest()))).decode())

    assert ["success", "↑", one_line(arm), "0.600", "0.131–0.937", "5 conversations", "1", "0", "0"] in lines


@given(st.text(alphabet=st.sampled_from("ab \\`*_[]()!<>|&;#~$\n\t:/@.-=+1"), max_size=30))
def test_escaped_text_reads_as_it_was(text: str) -> None:
    children = PARSER.parseInline(f"x{escape(text)}x")[0].children or []

    assert "".join(child.content for child in children).replace("\u2060", "") == f"x{one_line(text)}x"


@pytest.mark.parametrize("text", ["http://x.org", "HTTPS://x.org", "www.x.org", "@someone", "a@b.org"])
def test_addresses_do_not_become_links(text: str) -> None:
    assert "&#8288;" in escape(text)


def test_a_run_without_scores_has_a_report(tmp_path: Path) -> None:
    text = run_markdown(RunSummary.of(make_run(tmp_path / "run", [], manifest(status="running")))).decode()

    assert "- **Warning:** the run is not finished" in text
    assert "## Results" not in text
