import { methods, PROTOCOL_VERSION, type ClientContext, type StopReason } from '@agentclientprotocol/sdk'
import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { canEdit, canRead, canRun } from './acp-abilities.js'
import type { AgentBox, AgentRequest } from './backend.js'
import { wholePrompt } from './whole-prompt.js'

/** How a turn ended, and what the agent said it used. */
export interface AcpTurn {
  stopReason: StopReason
  tokens: { input: number | null; output: number | null }
}

export interface TurnOrder {
  request: AgentRequest
  box: AgentBox
  authMethod: string | null
}

/**
 * One session with one prompt. Throws the SDK's `RequestError` and connection errors, `Failure('Tool.Failed')` when the agent does not
 * begin to speak, `Failure('Agent.Rejected')` when it speaks another version.
 */
export async function takeTurn(agent: ClientContext, { request, box, authMethod }: TurnOrder): Promise<AcpTurn> {
  await hello(agent, request, box)
  if (authMethod !== null) await agent.request(methods.agent.authenticate, { methodId: authMethod })
  const { sessionId } = Session.parse(await agent.request(methods.agent.session.new, { cwd: box.cwd, mcpServers: [] }))
  const cancel = () => void agent.notify(methods.agent.session.cancel, { sessionId }).catch(ignoreClosed)
  box.signal.addEventListener('abort', cancel, { once: true })
  try {
    box.signal.throwIfAborted()
    const prompt = [{ type: 'text' as const, text: wholePrompt(request) }]
    const answer = Turn.parse(await agent.request(methods.agent.session.prompt, { sessionId, prompt }))
    return { stopReason: answer.stopReason, tokens: tokensOf(answer.usage) }
  } finally {
    box.signal.removeEventListener('abort', cancel)
  }
}

const Hello = z.object({ protocolVersion: z.number() })
const Session = z.object({ sessionId: z.string() })
const Count = z.int().min(0)
/** Not of the stable protocol yet, but told by today's agents. */
const Usage = z.object({
  totalTokens: Count,
  inputTokens: Count,
  outputTokens: Count,
  cachedReadTokens: Count.nullish(),
  cachedWriteTokens: Count.nullish(),
})
const Turn = z.object({
  stopReason: z.enum(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']),
  usage: Usage.nullish().catch(null),
})

async function hello(agent: ClientContext, request: AgentRequest, box: AgentBox): Promise<void> {
  const clientCapabilities = {
    fs: { readTextFile: canRead(request), writeTextFile: canEdit(request) },
    terminal: canRun(request),
  }
  const asked = agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities,
    clientInfo: { name: 'gauntlet', version: '1' },
  })
  const ms = Math.min(maxHelloMs, box.limitMs * 0.8)
  const { protocolVersion } = Hello.parse(await orFailure(asked, ms))
  if (protocolVersion !== PROTOCOL_VERSION)
    throw new Failure(
      'Agent.Rejected',
      `it speaks version ${protocolVersion} of the protocol, expected ${PROTOCOL_VERSION}`,
    )
}

/** Installed on its first start, an agent may take its time. */
const maxHelloMs = 120_000

async function orFailure<T>(awaited: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<never>((_resolve, reject) => {
    const words = `it did not answer "initialize" within ${Math.round(ms / 1000)} s: expected a program that speaks ACP on stdio`
    timer = setTimeout(() => reject(new Failure('Tool.Failed', words)), ms)
  })
  try {
    return await Promise.race([awaited, silent])
  } finally {
    clearTimeout(timer)
  }
}

function tokensOf(usage: z.infer<typeof Usage> | null | undefined): AcpTurn['tokens'] {
  if (usage === null || usage === undefined) return { input: null, output: null }
  const input = usage.inputTokens + (usage.cachedReadTokens ?? 0) + (usage.cachedWriteTokens ?? 0)
  // Thoughts count as output: the total has them, whether the output has or not.
  return { input, output: Math.max(usage.outputTokens, usage.totalTokens - input) }
}

function ignoreClosed(error: unknown): void {
  if (!(error instanceof Error)) throw error
}
