from agent_framework import Agent, Message
from agent_framework.openai import OpenAIChatCompletionClient

agent = Agent(OpenAIChatCompletionClient(model="gpt-4.1-mini"), "You are a travel desk.")


async def reply(messages):
    response = await agent.run([Message(message["role"], [message["content"]]) for message in messages])
    return response.text
