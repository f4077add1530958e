"""Build CHANGELOG.md from the news fragments in this folder.

python changes/build.py                    write the section "Unreleased"
python changes/build.py --release 0.2.0    make it the section of a version, and remove the fragments
"""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

FOLDER = Path(__file__).parent
CHANGELOG = FOLDER.parent / "CHANGELOG.md"
TITLE = "# Changelog"
UNRELEASED = "## Unreleased"
# 0012-what-is-new.md
FRAGMENT = re.compile(r"\d{4}-[\w-]+\.md")
# The heading of a section: "## Unreleased", "## 0.2.0 (2026-11-17)".
SECTION = re.compile(r"^## .*$", re.MULTILINE)


def main() -> int:
    """Write the changelog."""
    options = argparse.ArgumentParser(description="Build CHANGELOG.md from the news fragments.")
    options.add_argument("--release", metavar="VERSION", help="make the fragments a release and remove them")
    given = options.parse_args()
    fragments = sorted(path for path in FOLDER.iterdir() if FRAGMENT.fullmatch(path.name))
    heading = f"## {given.release} ({datetime.now(UTC).date()})" if given.release else UNRELEASED
    earlier = released_sections(CHANGELOG.read_text("utf-8") if CHANGELOG.exists() else "")
    CHANGELOG.write_text(changelog(heading, [path.read_text("utf-8") for path in fragments], earlier), "utf-8")
    if given.release:
        for path in fragments:
            path.unlink()
    return 0


def changelog(heading: str, fragments: list[str], earlier: str) -> str:
    """The text of the changelog: a new section, where there are fragments, above the earlier ones."""
    section = [heading, *map(below_section, fragments)] if fragments else []
    return "\n\n".join(part for part in (TITLE, *section, earlier) if part) + "\n"


def below_section(fragment: str) -> str:
    """A fragment as part of a section: headings two levels down, links from the folder above.

    >>> below_section("# Compare arms\\n\\nNew: [compare](../docs/compare.md).\\n")
    '### Compare arms\\n\\nNew: [compare](docs/compare.md).'
    """
    return re.sub(r"^#", "###", fragment.strip(), flags=re.MULTILINE).replace("](../", "](")


def released_sections(text: str) -> str:
    """The sections of a changelog that belong to releases.

    >>> released_sections("# Changelog\\n\\n## Unreleased\\n\\nNew.\\n\\n## 0.1.0 (2026-01-01)\\n\\nOld.\\n")
    '## 0.1.0 (2026-01-01)\\n\\nOld.'
    """
    starts = [match.start() for match in SECTION.finditer(text)]
    sections = [text[start:end].strip() for start, end in pairwise([*starts, len(text)])]
    return "\n\n".join(section for section in sections if not section.startswith(UNRELEASED))


if __name__ == "__main__":
    raise SystemExit(main())
