import { z } from 'zod'
import { planFaults } from '../rules/phase/plan-faults.js'
import { AGENT_TYPES, TASK_PHASES, TASK_STATUSES } from '../rules/phase/words.js'

/** Seed 001, 5.1. */
export const AgentType = z.enum(AGENT_TYPES)
export type AgentType = z.infer<typeof AgentType>

export const PhaseType = z.enum(['tdd', 'develop', 'verify', 'accept'])
export type PhaseType = z.infer<typeof PhaseType>

/** What a task may go through: the seed's four phases, and the one thing that a researcher's and a planner's task does. */
export const TaskPhase = z.enum(TASK_PHASES)
export type TaskPhase = z.infer<typeof TaskPhase>

export const Complexity = z.enum(['low', 'medium', 'high'])
export type Complexity = z.infer<typeof Complexity>

export const TaskStatus = z.enum(TASK_STATUSES)
export type TaskStatus = z.infer<typeof TaskStatus>

/** Names folders, branches and refs: nothing but this form ever reaches them. */
export const TaskId = z.string().regex(/^TASK-\d{3}$/, { error: 'expected TASK-NNN' })
export type TaskId = z.infer<typeof TaskId>

/** Judged by the test or command it names, else by the reviewer. A bare sentence names neither. */
export const AcceptanceCriterion = z.union([
  z.string().min(1).max(500),
  z.strictObject({
    criterion: z.string().min(1).max(500),
    /** The full name of a test. */
    test: z.string().min(1).max(500).optional(),
    /** Program and arguments; exit code 0 means that the criterion holds. */
    command: z.array(z.string().min(1).max(1_000)).min(1).max(50).optional(),
  }),
])
export type AcceptanceCriterion = z.infer<typeof AcceptanceCriterion>

/** Seed 001, 5.4: one task of a plan. Numbers, lengths and names are judged by `planFaults`, all of them at once. */
export const Task = z.object({
  /** TASK-NNN. */
  id: z.string().max(100),
  /** At most 50 characters. */
  title: z.string().max(500),
  description: z.string().min(1).max(8_000),
  dependencies: z.array(z.string().max(100)).max(100),
  /** 10 is critical or blocks others, 7 to 9 high, 4 to 6 medium, 1 to 3 low. */
  priority: z.number(),
  estimatedComplexity: Complexity,
  agentType: AgentType,
  /** Files that are expected to come out, as far as known. */
  artifacts: z.array(z.string().min(1).max(300)).max(100),
  acceptanceCriteria: z.array(AcceptanceCriterion).max(30).optional(),
  /** Asked of a researcher before the task begins; a researcher's own task is to answer it. */
  researchQuestion: z.string().min(1).max(2_000).optional(),
})
export type Task = z.infer<typeof Task>

/** A plan is good or refused as a whole: every fault is one complaint, so that a planner can mend them all at once. */
export const Plan = z.array(Task).superRefine((tasks, context) => {
  for (const message of planFaults(tasks)) context.addIssue({ code: 'custom', message })
})
export type Plan = z.infer<typeof Plan>
