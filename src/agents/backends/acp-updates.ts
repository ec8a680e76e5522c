import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { gatherMessages } from './acp-messages.js'
import { TOOL_KINDS } from './acp-permission.js'
import type { AgentBox } from './backend.js'

/** What an agent reported of its turn. */
export interface AcpUpdates {
  /** Takes the parameters of a `session/update`, whatever they are. */
  take(params: unknown): void
  /** The last message so far. */
  answer(): string
  /** Puts what is still being said into the transcript. */
  end(): void
  /** US dollars of the session, as far as told. */
  cost(): number | null
  /** What is known of a tool call by its id. */
  toolCall(id: string): Partial<ToolCall>
}

const ToolCall = z.object({
  toolCallId: z.string(),
  title: z.string().nullish().catch(null),
  kind: z.enum(TOOL_KINDS).nullish().catch(null),
  status: z.string().nullish().catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
  content: z.array(z.unknown()).nullish().catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
})
type ToolCall = z.infer<typeof ToolCall>

const Update = z.object({ update: z.looseObject({ sessionUpdate: z.string() }) })
const Cost = z.object({ cost: z.object({ amount: z.number().min(0), currency: z.literal('USD') }) })

/** `fail` ends the turn: a message is too large, or the allowance is passed. */
export function gatherUpdates(box: AgentBox, fail: (failure: Failure) => void): AcpUpdates {
  const calls = new Map<string, ToolCall>()
  const messages = gatherMessages(box, fail)
  let cost: number | null = null

  function toolCall(update: unknown): void {
    const { success, data } = ToolCall.safeParse(update)
    if (!success) return
    messages.interrupt()
    const { kind: tool = null, ...rest } = told(data)
    if (calls.size < maxToolCalls) calls.set(data.toolCallId, { ...calls.get(data.toolCallId), ...told(data) })
    const isResult = data.status === 'completed' || data.status === 'failed'
    box.record({ ...rest, tool, kind: isResult ? 'tool_result' : 'tool_call' })
  }

  function spent(update: unknown): void {
    const { success, data } = Cost.safeParse(update)
    if (!success) return
    cost = data.cost.amount
    const { cost: left } = box.allowance
    if (left !== null && cost > left)
      fail(new Failure('Budget.Exhausted', `the agent spent ${cost} $, more than the ${left} $ that were left`))
  }

  const takers: Readonly<Record<string, (update: unknown) => void>> = {
    agent_message_chunk: (update) => messages.take('message', update),
    agent_thought_chunk: (update) => messages.take('thought', update),
    tool_call: toolCall,
    tool_call_update: toolCall,
    usage_update: spent,
  }

  function take(params: unknown): void {
    const { success, data } = Update.safeParse(params)
    if (success) takers[data.update.sessionUpdate]?.(data.update)
  }

  return { ...messages, take, cost: () => cost, toolCall: (id) => calls.get(id) ?? {} }
}

const maxToolCalls = 10_000

/** Without what an update does not say: it leaves that as it was. */
function told(call: ToolCall): ToolCall {
  const entries = Object.entries(call).filter(([, value]) => value !== null && value !== undefined)
  return { toolCallId: call.toolCallId, ...Object.fromEntries(entries) }
}
