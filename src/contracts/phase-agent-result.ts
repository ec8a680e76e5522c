import { z } from 'zod'
import { BlockInfo } from './phase-answers.js'
import { AgentType, TaskId } from './phase.js'

const Base = { taskId: TaskId, agentType: AgentType }

/** Seed 001, 5.2: how an agent's part of a task ended, as the engine measured it. */
export const AgentResult = z.discriminatedUnion('status', [
  z.object({
    ...Base,
    status: z.literal('success'),
    output: z.object({
      artifacts: z.array(z.string()),
      contextUpdate: z.string(),
      suggestions: z.array(z.string()).optional(),
    }),
  }),
  z.object({ ...Base, status: z.literal('blocked'), blockInfo: BlockInfo }),
  z.object({
    ...Base,
    status: z.literal('failed'),
    error: z.object({ message: z.string(), stack: z.string().optional(), retryable: z.boolean() }),
  }),
])
export type AgentResult = z.infer<typeof AgentResult>

/** Seed 001, 5.3: how a task's phase is handed to an agent. */
export const SubagentTask = z.object({
  subagent_type: z.enum(['Plan', 'general-purpose', 'Explore']),
  description: z.string(),
  prompt: z.string(),
  isolation: z.literal('worktree').optional(),
  taskId: TaskId,
  agentType: AgentType,
  /** Milliseconds. */
  timeout: z.int().positive(),
  needsApproval: z.boolean(),
})
export type SubagentTask = z.infer<typeof SubagentTask>
