"""A model that may call tools: over HTTP and through a provider's own library."""

from __future__ import annotations

from typing import Any

from chat_server import Body, ChatServer, chat
from judging import KEY, QUICK, Purse, Shelf, answers_to, client_of
from msgspec import Struct, structs
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from adjudge.core.errors import Unanswered
from adjudge.core.play import Message, Prompt, Tool, ToolCalls
from adjudge.core.record import Call
from adjudge.tools.judge.answerer import JudgeAnswerer, cache_key
from adjudge.tools.judge.client import JudgeClient
from adjudge.tools.judge.models import JudgeSpec
from adjudge.tools.judge.native import NativeModel


class Search(Struct):
    area: str
    stars: int = 0


PROMPT = Prompt((Message("user", "A hotel in the north?"),), ToolCalls, tools=(Tool("search", "Find hotels.", Search),))


def calling(name: str, arguments: str, text: str | None = None) -> Body:
    reply = chat(text, "tool_calls")
    reply["choices"][0]["message"]["tool_calls"] = [
        {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
    ]
    return reply


def answer(client: JudgeClient, prompt: Prompt[Any] = PROMPT, shelf: Shelf | None = None) -> object:
    answerer = JudgeAnswerer(client, shelf or Shelf(), Purse())
    [(_, answered)] = answers_to(answerer, [prompt])
    answerer.close()
    return answered


def test_a_call_is_answered_with_checked_arguments_and_kept(server: ChatServer) -> None:
    server.script = lambda body, number: calling("search", '{"area": "north"}')
    shelf = Shelf()

    for _ in range(2):
        assert answer(client_of(server.url), shelf=shelf) == ToolCalls("", (Call("search", {"area": "north"}),))

    [body] = server.bodies
    [tool] = body["tools"]
    assert tool["function"]["name"] == "search"
    assert tool["function"]["parameters"]["properties"]["area"] == {"type": "string"}
    assert "response_format" not in body


def test_a_model_may_speak_instead(server: ChatServer) -> None:
    server.script = lambda body, number: chat("Which price range?")
    assert answer(client_of(server.url)) == ToolCalls("Which price range?")


def test_wrong_arguments_are_asked_for_once_more(server: ChatServer) -> None:
    replies = [calling("search", '{"region": 4}'), calling("search", '{"area": "north", "stars": 4}')]
    server.script = lambda body, number: replies[number]

    assert answer(client_of(server.url)) == ToolCalls("", (Call("search", {"area": "north", "stars": 4}),))
    assert "call tools only as they are described" in server.bodies[1]["messages"][-1]["content"]


def test_a_tool_that_does_not_exist_is_an_error(server: ChatServer) -> None:
    server.script = lambda body, number: calling("delete_everything", "{}")
    answered = answer(client_of(server.url))
    assert isinstance(answered, Unanswered)
    assert answered.status == "parse_error"
    assert "there is no tool 'delete_everything'" in answered.why


def test_other_tools_are_another_question() -> None:
    spec = client_of("http://a/v1").spec
    other = structs.replace(PROMPT, tools=(Tool("search", "Find any hotel.", Search),))
    assert len({cache_key(prompt, spec) for prompt in (PROMPT, other, structs.replace(PROMPT, tools=()))}) == 3


def test_tools_reach_a_provider_s_own_library() -> None:
    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        return ModelResponse([ToolCallPart(info.function_tools[0].name, {"area": "north"})])

    spec = JudgeSpec(provider="native", model="anthropic:claude", key_name="ANTHROPIC_API_KEY", logprobs=False)
    client = JudgeClient(NativeModel(spec, FunctionModel(model), (KEY,)), retry=QUICK)
    assert answer(client) == ToolCalls("", (Call("search", {"area": "north"}),))
