import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { createAgentActivities } from '../../src/activities/agent-activities.js'
import { createReviewActivities } from '../../src/activities/review-activities.js'
import { createRunActivities } from '../../src/activities/run-activities.js'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { ROSTER } from '../../src/agents/roster.js'
import type { ReviewFile } from '../../src/contracts/review-part.js'
import { ReviewReport } from '../../src/contracts/review-report.js'
import { ReviewInput, ReviewResult } from '../../src/contracts/review-run.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'
import { writeDefinition } from '../../src/tools/agent-definitions.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import type { codeReview } from '../../src/workflows/code-review.js'
import { aDoor } from './agent-door.js'

export interface ReviewDoor {
  door: AskSetup
  stop(): Promise<void>
}

/** Workers for `codeReview`, with real agents behind the real door. */
export async function startReviewWorkers(env: TestWorkflowEnvironment): Promise<ReviewDoor> {
  const door = aDoor({ roster: ROSTER })
  const queue = queueOf(door.store.id)
  const activities = {
    ...createAgentActivities(door),
    ...createReviewActivities(door),
    ...createRunActivities(door.store),
  }
  const shared = { connection: env.nativeConnection, shutdownForceTime: '2 seconds', activities } as const
  const workers = [
    await Worker.create({ ...shared, taskQueue: queue, workflowBundle: await workflowBundle() }),
    await Worker.create({ ...shared, taskQueue: queueFor('tools', queue) }),
    await Worker.create({ ...shared, taskQueue: queueFor('agents', queue) }),
  ]
  const done = Promise.all(workers.map((worker) => worker.run()))
  const stop = async () => {
    for (const worker of workers) worker.shutdown()
    await done
  }
  return { door, stop }
}

/** A script of one review. */
export async function reviewScript(door: AskSetup, name: string, answers: readonly unknown[]): Promise<string> {
  const content = JSON.stringify({ answers })
  const file = join(door.home, `${name}.json`)
  writeFileSync(file, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  await writeDefinition(door.home, name, { kind: 'script', file, sha256 })
  return name
}

export interface Reviewed {
  document: ResultDocument
  result: ReviewResult
  report: ReviewReport | null
  content: Record<string, unknown>
}

export async function reviewInput(
  { store }: AskSetup,
  key: string,
  { files, agent, ...rest }: { files: readonly ReviewFile[]; agent: string } & Partial<ReviewInput>,
): Promise<ReviewInput> {
  const task = {
    task_id: `task_${key}`,
    review_type: 'diff' as const,
    working_directory: '/repo',
    priority_focus: [],
    extra_requirements: [],
  }
  const content = { task_id: task.task_id, review_type: 'diff', created_at: '2026-01-02T03:04:05.000Z', content: {} }
  const sources = { review_type: 'diff', files, left_out: [], suppressions: [] }
  return ReviewInput.parse({
    key,
    task,
    content: await store.put('content.json', JSON.stringify(content), 'application/json'),
    sources: await store.put('sources.json', JSON.stringify(sources), 'application/json'),
    part_tokens: 10_000,
    agents: [{ role: '*', agent }],
    budget: { tokens: null, cost: null, rounds: null, seconds: null },
    answer_within_seconds: 0,
    allow_unsandboxed: true,
    input_digest: key,
    ...rest,
  })
}

export async function startReview(env: TestWorkflowEnvironment, door: AskSetup, input: ReviewInput) {
  return await env.client.workflow.start<typeof codeReview>('codeReview', {
    taskQueue: queueOf(door.store.id),
    workflowId: `review/${input.key}`,
    args: [input],
  })
}

export async function readReview(door: AskSetup, ended: unknown): Promise<Reviewed> {
  const document = ResultDocument.parse(ended)
  const result = ReviewResult.parse(document.result)
  const text = async (artifact: { sha256: string; name: string }) => (await door.store.get(artifact)).toString('utf8')
  return {
    document,
    result,
    report: result.report === null ? null : ReviewReport.parse(JSON.parse(await text(result.report))),
    content: JSON.parse(await text(result.content)) as Record<string, unknown>,
  }
}
