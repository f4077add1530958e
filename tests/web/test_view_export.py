"""The pages as files: complete, with links that lead to files, and working without a server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from serving import small_run

from adjudge.cli.main import main
from browser import Element, read


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    small_run(folder / "runs" / "small")
    small_run(folder / "runs" / "second run", cases=8)
    with pytest.MonkeyPatch.context() as patched:
        for module in ("export", "pages.conversations"):
            patched.setattr(f"adjudge.web.{module}.PAGE", 15)
        assert main(["view", str(folder / "runs"), "--export", str(folder / "site"), "-q"]) == 0
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Element]:
    return {path: read(path.read_bytes()) for path in site.rglob("*.html")}


def test_every_link_leads_to_a_file_and_its_anchor(pages: dict[Path, Element]) -> None:
    anchors = {
        path: {element.attributes["id"] for element in page.all() if "id" in element.attributes}
        for path, page in pages.items()
    }
    for path, page in pages.items():
        for element in page.all():
            href = element.attributes.get("src" if element.tag == "script" else "href", "")
            link = urlsplit(href)
            if link.scheme == "data" or not href or element.tag == "use":
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            assert target.is_file(), (path, href)
            assert not link.fragment or unquote(link.fragment) in anchors[target], (path, href)


def test_every_conversation_and_every_pair_has_a_page(site: Path) -> None:
    folders = sorted(path for path in site.iterdir() if path.name != "static" and path.is_dir())
    assert [len(list((folder / "c").glob("*.html"))) for folder in folders] == [16, 12]
    assert [len(list((folder / "d").glob("*.html"))) for folder in folders] == [8, 6]
    assert [len(list(folder.glob("conversations*.html"))) for folder in folders][1] >= 3
    assert (folders[0] / "conversations-2.html").is_file()


def test_nothing_is_offered_that_needs_a_server(pages: dict[Path, Element]) -> None:
    for path, page in pages.items():
        assert list(page.all("form")) == [], path


def test_a_folder_with_something_else_is_not_written_to(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("precious")
    assert main(["view", str(runs), "--export", str(tmp_path / "mine")]) == 2
    assert "not empty" in capsys.readouterr().err
    assert main(["view", str(tmp_path / "mine"), "--export", str(tmp_path / "site")]) == 2
    assert "no run there" in capsys.readouterr().err
