from agents import Agent, Runner, set_default_openai_api, set_tracing_disabled

set_default_openai_api("chat_completions")  # Leave this out if your server has the Responses API.
set_tracing_disabled(True)
agent = Agent(name="desk", instructions="You are a travel desk.", model="gpt-4.1-mini")


async def reply(messages):
    result = await Runner.run(agent, messages)
    return result.final_output
