"""The recipes for frameworks, each played against a server where the package is installed."""

from __future__ import annotations

import importlib.util
import warnings
from pathlib import Path

import pytest
from playing import lines

from tools.judge.chat_server import Body, ChatServer, chat
from workspace import Workspace

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples" / "play"
PACKAGES = {
    "langgraph_agent": ("langgraph", "langchain_openai"),
    "autogen_agent": ("autogen_agentchat", "autogen_ext", "tiktoken"),
    "agent_framework_agent": ("agent_framework", "agent_framework_openai"),
    "pydantic_ai_agent": ("pydantic_ai", "openai"),
    "openai_agents_agent": ("agents",),
}


def count_up(body: Body, number: int) -> Body:
    """A reply with every field that the frameworks insist on."""
    turns = sum(message["role"] == "assistant" for message in body["messages"])
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    return chat(f"{turns + 1}?", created=1_700_000_000, usage=usage)


def test_every_recipe_is_on_the_page_as_it_is() -> None:
    page = (ROOT / "docs" / "guides" / "own-system.md").read_text("utf-8")
    assert {path.stem for path in EXAMPLES.glob("*.py")} == PACKAGES.keys()
    for path in EXAMPLES.glob("*.py"):
        assert f"# {path.name}\n{path.read_text('utf-8')}```" in page, path.name


@pytest.mark.parametrize("recipe", PACKAGES)
@pytest.mark.filterwarnings("ignore")  # Of the frameworks, which are not ours.
def test_a_recipe_plays(desk: Workspace, server: ChatServer, recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing := [name for name in PACKAGES[recipe] if importlib.util.find_spec(name) is None]:
        pytest.skip(f"{missing[0]} is not installed: pip install 'adjudge[guests]'")
    monkeypatch.setenv("OPENAI_API_KEY", "planted")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.script = count_up
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arguments = ("--arm", f"mine=py:{EXAMPLES / recipe}.py:reply", "--limit", 3, "-o", desk.run)
        done = desk.adjudge("play", "guessing", *arguments)

    assert done.code == 0, [done.err, lines(desk.run / "ends.jsonl")]
    texts = [line["text"] for line in lines(desk.run / "turns.jsonl") if line["case"] == "n3"]
    # The system's own turns reach the model as the assistant's, or it would say "1?" every time.
    assert texts[1::2] == ["1?", "2?", "3?"]
