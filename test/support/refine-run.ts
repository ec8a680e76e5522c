import { type NativeConnection, Worker } from '@temporalio/worker'
import { createAgentActivities } from '../../src/activities/agent-activities.js'
import { createRefineActivities } from '../../src/activities/refine-activities.js'
import { createRunActivities } from '../../src/activities/run-activities.js'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { ROSTER } from '../../src/agents/roster.js'
import type { Dimension, ReviewIssue } from '../../src/contracts/aggregate.js'
import type { RefineInput } from '../../src/contracts/refine.js'
import { countIssues } from '../../src/rules/aggregate-issues.js'
import { PRESETS } from '../../src/rules/aggregate-settings.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import { aDoor, scriptAgent } from './agent-door.js'
import type { Run } from './git-repository.js'

/** A door with the product's own roles. */
export function refineDoor(run: Run): AskSetup {
  return aDoor({ roster: ROSTER }, run)
}

/** The product's workflows and activities, all lanes. Returns how to stop them. */
export async function startRefineWorker(
  connection: NativeConnection,
  storeId: string,
  door: AskSetup,
): Promise<() => Promise<void>> {
  const queue = queueOf(storeId)
  const shared = {
    connection,
    stickyQueueScheduleToStartTimeout: '2 seconds',
    shutdownForceTime: '2 seconds',
    maxHeartbeatThrottleInterval: '500 milliseconds',
    defaultHeartbeatThrottleInterval: '500 milliseconds',
  } as const
  const refine = createRefineActivities(door)
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: queue,
      workflowBundle: await workflowBundle(),
      activities: createRunActivities(door.store),
    }),
    Worker.create({ ...shared, taskQueue: queueFor('tools', queue), activities: refine }),
    Worker.create({ ...shared, taskQueue: queueFor('agents', queue), activities: createAgentActivities(door) }),
  ])
  const done = Promise.all(workers.map((worker) => worker.run()))
  return async () => {
    for (const worker of workers) worker.shutdown()
    await done
  }
}

const ROLES = {
  security: 'security-reviewer',
  quality: 'quality-checker',
  performance: 'performance-analyzer',
} as const satisfies Record<Dimension, string>

/** The writer's answer of a round, with the files it leaves. */
export function wrote(round: number, files: Record<string, string | null>, rest: object = {}): object {
  return {
    role: 'code-writer',
    round,
    edits: Object.entries(files).map(([path, content]) => ({ path, content })),
    answer: { files_modified: Object.keys(files), changes_made: [`round ${round}`], confidence: 0.5, notes: '' },
    ...rest,
  }
}

/** A reviewer's answer. */
export function reviewed(
  dimension: Dimension,
  round: number,
  { score, issues = [], ...rest }: { score: number; issues?: ReviewIssue[]; [field: string]: unknown },
): object {
  const answer = { passed: score >= 85, score, issues, summary: countIssues(issues), recommendations: [] }
  return { role: ROLES[dimension], round, answer, ...rest }
}

/** Three reviews without issues. */
export function scored(round: number, [security, quality, performance]: readonly [number, number, number]): object[] {
  return [
    reviewed('security', round, { score: security }),
    reviewed('quality', round, { score: quality }),
    reviewed('performance', round, { score: performance }),
  ]
}

export interface RefineCase {
  door: AskSetup
  run: Run
  key: string
  /** Of a script. */
  answers: readonly object[]
  input?: Partial<RefineInput>
}

/** The input of a run whose agents are all a script. */
export async function refineInput({ door, run, key, answers, input = {} }: RefineCase): Promise<RefineInput> {
  const script = await scriptAgent(door, answers, `script-${key}`)
  return {
    key,
    requirement: await door.store.put('requirement.md', 'Find users by name.', 'text/markdown'),
    title: 'Find users by name.',
    repository: run.repository,
    base: run.base,
    against: run.base,
    tech_stack: STACK,
    openspec: null,
    preset: 'standard',
    ...PRESETS.standard,
    lang: 'en',
    agents: [{ role: '*', agent: script }],
    budget: { tokens: null, cost: null, rounds: null, seconds: null },
    answer_within_seconds: 0,
    allow_unsandboxed: true,
    input_digest: key,
    ...input,
  }
}

export const STACK = {
  language: 'Python',
  language_version: null,
  framework: null,
  framework_version: null,
  build_tool: null,
  test_framework: null,
  code_style: null,
  constraints: [],
  project_type: 'single' as const,
}
