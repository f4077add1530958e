from autogen_agentchat.agents import AssistantAgent
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import AssistantMessage, UserMessage
from autogen_ext.models.openai import OpenAIChatCompletionClient

client = OpenAIChatCompletionClient(model="gpt-4.1-mini")
KINDS = {"user": UserMessage, "assistant": AssistantMessage}


async def reply(messages):
    *before, last = messages
    history = [KINDS[message["role"]](content=message["content"], source=message["role"]) for message in before]
    # An AutoGen agent remembers, so each turn has an agent of its own, with the conversation as its memory.
    agent = AssistantAgent("desk", client, model_context=UnboundedChatCompletionContext(history))
    result = await agent.run(task=last["content"])
    return result.messages[-1].content
