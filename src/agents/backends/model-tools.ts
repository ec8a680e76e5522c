import type { ToolModelMessage, ToolSet } from 'ai'
import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { clipped, type ToolPlace, type WorktreeTool } from '../../tools/worktree-tools/tool-place.js'
import { worktreeTools } from '../../tools/worktree-tools/worktree-tools.js'
import type { AgentBox, AgentRequest } from './backend.js'
import { carrier, type ModelReply } from './model-call.js'

/** The tool whose input is the answer. */
export const submitTool = 'submit_answer'

export interface ModelTools {
  /** As the server is told them; none for a role that only answers. */
  told: ToolSet
  use: readonly WorktreeTool[]
}

/** What a model may have done for this request. */
export function modelTools(request: AgentRequest): ModelTools {
  const use = worktreeTools(request.abilities)
  if (use.length === 0) return { told: {}, use }
  const told = use.map((tool) => [tool.name, carrier(tool.description, z.toJSONSchema(tool.input, { io: 'input' }))])
  const submit = carrier('Gives the answer and ends the work.', submitSchema(request.answer_schema))
  return { told: Object.fromEntries([...told, [submitTool, submit]]) as ToolSet, use }
}

/** A tool takes an object: any other answer is wrapped in one. */
function submitSchema(schema: unknown): Record<string, unknown> {
  const { $defs, ...rest } = { $defs: {}, ...(schema as object) }
  const properties = { [wrapping]: rest }
  return (
    objectSchema(schema) ?? { type: 'object', properties, required: [wrapping], additionalProperties: false, $defs }
  )
}

const wrapping = 'answer'

/** What was submitted, without what `submitSchema` put around it. */
export function submitted(request: AgentRequest, input: unknown): unknown {
  if (objectSchema(request.answer_schema) !== null || typeof input !== 'object' || input === null) return input
  const wrapped = Object.entries(input).find(([name]) => name === wrapping)
  return wrapped === undefined ? input : wrapped[1]
}

/** Null for a schema of anything but an object: servers take no other. */
export function objectSchema(schema: unknown): Record<string, unknown> | null {
  if (typeof schema !== 'object' || schema === null) return null
  return 'type' in schema && schema.type === 'object' ? { ...schema } : null
}

/**
 * Does what a model asks for, one after the other, and tells it the results. Calls that the SDK could not read have been complained
 * about already. Throws the signal's reason when it fires in between.
 */
export async function useTools(box: AgentBox, tools: ModelTools, reply: ModelReply): Promise<ToolModelMessage[]> {
  const content: ToolModelMessage['content'] = []
  for (const { id, name, input, isInvalid } of reply.toolCalls) {
    box.record({ kind: 'tool_call', name, input })
    if (isInvalid || name === submitTool) continue
    const output = await useTool(placeOf(box), tools.use, { name, input })
    box.signal.throwIfAborted()
    box.record({ kind: 'tool_result', name, ...output })
    content.push({ type: 'tool-result', toolCallId: id, toolName: name, output })
  }
  return content.length === 0 ? [] : [{ role: 'tool', content }]
}

type ToolOutput = { type: 'text' | 'error-text'; value: string }

async function useTool(
  place: ToolPlace,
  tools: readonly WorktreeTool[],
  call: { name: string; input: unknown },
): Promise<ToolOutput> {
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) return { type: 'error-text', value: `there is no tool ${call.name}` }
  const input = tool.input.safeParse(call.input)
  if (!input.success) return { type: 'error-text', value: clipped(z.prettifyError(input.error)) }
  try {
    return { type: 'text', value: await tool.use(place, input.data) }
  } catch (error) {
    if (error instanceof Failure && isForModel.has(error.type)) return { type: 'error-text', value: error.message }
    throw error
  }
}

/** What a model can mend by asking for something else. */
const isForModel = new Set(['Contract.Violated', 'Tool.Missing'])

function placeOf(box: AgentBox): ToolPlace {
  return { root: box.cwd, protected: box.protected, run: (program) => box.run(program) }
}
