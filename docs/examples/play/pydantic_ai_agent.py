from pydantic_ai import Agent
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

agent = Agent("openai-chat:gpt-4.1-mini", instructions="You are a travel desk.")


def as_history(message):
    if message["role"] == "assistant":
        return ModelResponse([TextPart(message["content"])])
    return ModelRequest([UserPromptPart(message["content"])])


async def reply(messages):
    *before, last = messages
    result = await agent.run(last["content"], message_history=[as_history(message) for message in before])
    return result.output
