import { Context } from '@temporalio/activity'
import type { AskSetup } from '../agents/ask-call.js'
import { ask } from '../agents/ask.js'
import { closeAgents } from '../agents/close-agents.js'
import { AgentOrder, AgentReply, CloseAgentsOrder, ClosedAgents } from '../contracts/agent.js'
import { perform } from './perform.js'

/** The activities by which every pipeline asks agents. */
export function createAgentActivities(setup: AskSetup) {
  const { store } = setup
  return {
    askAgent: perform({
      name: 'askAgent',
      store,
      input: AgentOrder,
      output: AgentReply,
      run: (order, { signal }) => ask(setup, order, { signal, at: orderedAt() }),
    }),
    closeAgents: perform({
      name: 'closeAgents',
      store,
      input: CloseAgentsOrder,
      output: ClosedAgents,
      run: (order) => closeAgents(setup, order),
    }),
  }
}

/** From history, so that every try of a call agrees on it. */
function orderedAt(): string {
  return new Date(Context.current().info.scheduledTimestampMs).toISOString()
}
