import type { AgentUsage, RoleName, Workspace } from '../contracts/agent.js'
import type { BlockInfo } from '../contracts/phase-answers.js'
import type { TaskOrder, TaskSnapshot } from '../contracts/phase-task.js'
import type { Task, TaskPhase } from '../contracts/phase.js'
import { addUsage } from '../rules/budget.js'
import { boundEntries } from '../rules/phase/bound-entries.js'
import { catchMistake } from '../rules/phase/caught.js'
import { appendContext } from '../rules/phase/context-manager.js'
import type { At } from '../rules/phase/entries.js'
import type { Outcome } from '../rules/phase/outcomes.js'
import { timeoutFor } from '../rules/phase/timeouts.js'
import { type Asking, askRole, type Replied } from './ask-role.js'
import type { Run } from './run.js'

/** A task while it is worked on. */
export interface TaskWork {
  order: TaskOrder
  run: Run
  asking: Asking
  task: Task
  /** Changes as the work goes on. */
  at: TaskSnapshot
  usage: AgentUsage
  untold: { tokens: boolean; cost: boolean }
  /** Calls of agents that were begun. */
  rounds: number
  /** What the last agent said it is missing. */
  said: BlockInfo | null
}

/** What one action came to. */
export type Stretch =
  | { outcome: Outcome }
  | { diagnosed: true }
  | { stop: 'exhausted' | 'canceled'; reason: string | null }

/** One question to a role about this task. */
export interface AskFor {
  role: RoleName
  phase: TaskPhase | 'diagnose' | 'executor'
  input: unknown
}

const LIMITED_AS = {
  plan: 'plan',
  research: 'research',
  tdd: 'tdd',
  develop: 'develop',
  verify: 'verify',
  accept: 'accept',
  diagnose: 'research',
  executor: 'verify',
} as const satisfies Record<AskFor['phase'], TaskPhase>

/** Asks, and makes of everything but an answer what it means for the task. */
export async function askFor<E>(
  work: TaskWork,
  { role, phase, input }: AskFor,
): Promise<{ reply: Replied<E> } | Stretch> {
  const { order, asking, at, task } = work
  const round = (at.rounds[phase] = (at.rounds[phase] ?? 0) + 1)
  const protectedFiles = role === 'coder' ? at.tests : []
  const workspace: Workspace = { repository: order.repository, commit: at.commit, protected: protectedFiles }
  const step = `${task.id}-${phase}`
  const limitSeconds = timeoutFor(LIMITED_AS[phase], task.estimatedComplexity) / 1000
  work.rounds += 1
  const asked = await askRole<E>(asking, {
    role,
    row: phase,
    step,
    round,
    taskId: task.id,
    input,
    workspace,
    limitSeconds,
  })
  takeUsage(work, asked.usage)
  for (const what of asked.sentBack) at.caught = catchMistake(at.caught, LIMITED_AS[phase], what)
  if (asked.status === 'passed') {
    at.unsandboxed ||= !asked.value.is_sandboxed
    return { reply: asked.value }
  }
  if (asked.status === 'failed') return notDone(work, `${asked.failure.type}: ${asked.failure.message}`)
  if (asked.status === 'canceled') return { stop: 'canceled', reason: null }
  work.rounds -= 1
  return { stop: 'exhausted', reason: asked.reason }
}

function takeUsage(work: TaskWork, usage: AgentUsage): void {
  const { untold } = work
  const hasTokens = usage.input_tokens !== null && usage.output_tokens !== null
  work.untold = { tokens: untold.tokens || !hasTokens, cost: untold.cost || usage.cost === null }
  work.usage = addUsage(work.usage, usage)
}

export function notDone({ at }: TaskWork, message: string): Stretch {
  Object.assign(at, { complaint: message.slice(0, 2_000), report: null })
  return { outcome: 'failed' }
}

export function remember({ at }: TaskWork, entries: Parameters<typeof appendContext>[1]): void {
  at.entries = boundEntries(appendContext(at.entries, entries))
}

export function atOf({ task, at }: TaskWork, step: string): At {
  return { task: task.id, step, round: at.rounds[step] ?? 1 }
}
