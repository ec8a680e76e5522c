import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createAgentActivities } from '../../src/activities/agent-activities.js'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { ask } from '../../src/agents/ask.js'
import type { AgentOrder, AgentReply, Workspace } from '../../src/contracts/agent.js'
import { queueOf } from '../../src/rules/task-queues.js'
import { answerUpdate, stateQuery } from '../../src/workflows/messages.js'
import type { asks, AsksInput, AsksResult } from '../fixtures/workflows/asks.js'
import { aDoor, houseAgent, python, scriptAgent } from '../support/agent-door.js'
import { asksBundle, type DoorActivities, startDoorWorker } from '../support/door-worker.js'
import { aRun, freshFolder, type Run } from '../support/git-repository.js'
import { memoryStore } from '../support/memory-store.js'
import { patientQuery } from '../support/patient-query.js'
import { logged } from '../support/quiet-temporal.js'
import { devServerEnv } from '../support/temporal.js'
import { sleeperSeconds } from '../tools/process/orders.js'

// On a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const SECRET = 'hk-Planted+Secret/0123456789'
const database = join(freshFolder(), 'temporal.db')
let env: TestWorkflowEnvironment
let run: Run
let workspace: Workspace
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  env = await devServerEnv(database)
  run = await aRun({ 'given.txt': 'old\n' })
  workspace = { repository: run.repository, commit: run.base, protected: [] }
})

afterAll(async () => {
  try {
    for (const stop of stops) await stop()
  } finally {
    await env?.teardown()
  }
})

let count = 0

interface Start {
  door: AskSetup
  input: Partial<AsksInput>
  activities?: DoorActivities
}

async function start({ door, input, activities }: Start) {
  const storeId = `asks${String((count += 1)).padStart(4, '0')}`
  const wanted = activities === undefined ? {} : { activities }
  stops.push(await startDoorWorker({ connection: env.nativeConnection, storeId, door, ...wanted }))
  return await env.client.workflow.start<typeof asks>('asks', {
    taskQueue: queueOf(storeId),
    workflowId: `phase/asks-${count}`,
    args: [
      {
        agents: [],
        budget: NO_BUDGET,
        answer_within_seconds: 0,
        allow_unsandboxed: true,
        calls: [[aCall()]],
        ...input,
      },
    ],
  })
}

const NO_BUDGET = { tokens: null, cost: null, rounds: null, seconds: null }

function aCall(rest: Partial<AsksInput['calls'][0][0]> = {}): AsksInput['calls'][0][0] {
  const input = { behave: 'answer', words: '' }
  return { role: 'planner', step: 'plan', round: 1, taskId: null, input, workspace: null, limitSeconds: 20, ...rest }
}

async function finish(handle: Awaited<ReturnType<typeof start>>): Promise<AsksResult> {
  const result = await handle.result()
  const history = await handle.fetchHistory()
  await Worker.runReplayHistory({ workflowBundle: await asksBundle() }, history)
  return result
}

const GOOD = { n: 7, words: 'done' }
const SCRIPT = [{ role: '*' as const, agent: 'script' }]

describe('asking a role', () => {
  it('sends an answer that does not fit back with the complaints, each try in history and on the list', async () => {
    const door = aDoor({}, run)
    await scriptAgent(door, [
      {
        role: 'coder',
        attempt: 1,
        text: 'nothing',
        edits: [{ path: 'given.txt', content: 'first\n' }],
        usage: { input_tokens: 10 },
      },
      { role: 'coder', attempt: 2, answer: { n: 13, words: '' }, usage: { input_tokens: 100 } },
      { role: 'coder', attempt: 3, answer: GOOD, usage: { input_tokens: 1_000, cost: 0.25 } },
      { role: 'coder', attempt: 4, answer: GOOD },
    ])
    const handle = await start({
      door,
      input: { agents: SCRIPT, calls: [[aCall({ role: 'coder', step: 'mend', workspace, taskId: 'TASK-001' })]] },
    })
    const { asked, state, leftovers } = await finish(handle)
    expect(asked).toMatchObject([
      { status: 'passed', value: { extract: GOOD, changed_files: 1 }, usage: { input_tokens: 1_110 } },
    ])
    expect(state.steps).toMatchObject([{ name: 'mend', status: 'passed', attempt: 3, note: '1000 tokens' }])
    expect(state.usage).toMatchObject({ tokens: 1_110, cost: 0.25 })
    expect(leftovers).toEqual(['script: nobody asked for answer 4 (role coder, attempt 4)'])
    const { events } = await handle.fetchHistory()
    const scheduled =
      events?.filter((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'askAgent') ?? []
    expect(scheduled).toHaveLength(3)
    expect(Buffer.from(scheduled[0]?.userMetadata?.summary?.data ?? []).toString()).toBe('"coder: TASK-001"')
  })

  it('gives up after three complaints', async () => {
    const door = aDoor()
    await scriptAgent(door, [{ role: 'planner', text: 'never', usage: { output_tokens: 5 } }])
    const { asked, state } = await finish(await start({ door, input: { agents: SCRIPT } }))
    expect(asked).toMatchObject([
      { status: 'failed', failure: { type: 'Agent.InvalidAnswer', step: 'plan' }, usage: { output_tokens: 20 } },
    ])
    expect(state.steps).toMatchObject([
      { status: 'failed', attempt: 4, note: expect.stringContaining('Agent.InvalidAnswer: no JSON') as unknown },
    ])
  })

  it.skipIf(python === null)('works the same with a program of another language', async () => {
    const door = aDoor()
    await houseAgent(door)
    const call = aCall({ input: { behave: 'wrong then right', words: '' } })
    const { asked } = await finish(
      await start({ door, input: { agents: [{ role: '*', agent: 'house' }], calls: [[call]] } }),
    )
    expect(asked).toMatchObject([
      { status: 'passed', value: { extract: { n: 7 } }, usage: { input_tokens: null, cost: null } },
    ])
  })

  it('waits as long as an agent that is busy asks for, and then asks again', async () => {
    const door = aDoor()
    const calls: number[] = []
    const real = createAgentActivities(door)
    const busyFirst: DoorActivities = {
      ...real,
      askAgent: async (order) => {
        calls.push(order.attempt)
        if (order.attempt > 1) return await real.askAgent(order)
        const details = [{ retryAfterMs: 50, usage: { input_tokens: 0, output_tokens: 0, cost: 0, seconds: 1 } }]
        throw ApplicationFailure.create({ type: 'Agent.Unavailable', message: 'busy', nonRetryable: true, details })
      },
    }
    await scriptAgent(door, [{ role: 'planner', attempt: 2, answer: GOOD }])
    const { asked } = await finish(await start({ door, input: { agents: SCRIPT }, activities: busyFirst }))
    expect(asked).toMatchObject([{ status: 'passed', usage: { cost: 0 } }])
    expect(calls).toEqual([1, 2])
  })

  it('asks nobody in vain: an agent that rejects is asked once', async () => {
    const { asked } = await finish(await start({ door: aDoor(), input: {} }))
    expect(asked).toMatchObject([{ status: 'failed', failure: { type: 'Agent.Rejected' } }])
    expect(asked[0]?.status === 'failed' && asked[0].failure.message).toContain("--agent 'planner=command:./agent.py'")
  })
})

describe('a lost worker', () => {
  it('between the published commit and the reply costs no second question', async () => {
    const store = memoryStore()
    const door = aDoor({ store }, run)
    await scriptAgent(door, [{ role: 'coder', answer: GOOD, edits: [{ path: 'given.txt', content: 'new\n' }] }])
    const successor = { ...aDoor({ store }, run), home: freshFolder() }
    const replies: AgentReply[] = []
    const gone = new AbortController()
    const lostOnce = async (order: AgentOrder): Promise<AgentReply> => {
      const { attempt, scheduledTimestampMs } = Context.current().info
      const call = { signal: new AbortController().signal, at: new Date(scheduledTimestampMs).toISOString() }
      const reply = await ask(attempt === 1 ? door : successor, order, call)
      replies.push(reply)
      // Like a worker that is gone: no heartbeat, no reply.
      if (attempt === 1) await new Promise((resolve) => gone.signal.addEventListener('abort', resolve))
      return reply
    }
    const activities = { ...createAgentActivities(door), askAgent: lostOnce }
    const call = aCall({ role: 'coder', step: 'lost', workspace })
    const { asked } = await finish(await start({ door, input: { agents: SCRIPT, calls: [[call]] }, activities }))
    gone.abort()
    expect(replies).toHaveLength(2)
    expect(replies[1]).toEqual(replies[0])
    expect(asked).toMatchObject([{ status: 'passed', value: { commit: replies[0]?.commit } }])
  })
})

describe('a budget', () => {
  const used = { input_tokens: 3_000, output_tokens: 1_500, cost: 0.1 }
  const script = ['a', 'b', 'c'].map((step) => ({ role: 'planner', step, answer: GOOD, usage: used }))
  const inTurn = ['a', 'b', 'c'].map((step) => [aCall({ step })])

  it('stops before it is passed, and says what is left undone', async () => {
    const door = aDoor()
    await scriptAgent(door, script)
    const budget = { ...NO_BUDGET, tokens: 9_500 }
    const { asked, state, leftovers } = await finish(
      await start({ door, input: { agents: SCRIPT, budget, calls: inTurn } }),
    )
    expect(asked.map(({ status }) => status)).toEqual(['passed', 'passed', 'exhausted'])
    expect(asked[2]).toMatchObject({ reason: '9000 tokens of 9500 tokens are used up' })
    expect(state.usage.tokens).toBe(9_000)
    expect(state.questions).toMatchObject([{ id: 'budget-1', answer: 'stop', answered_by: 'default' }])
    expect(leftovers).toHaveLength(1)
  })

  it('asks a person, who may grant the same again', async () => {
    const door = aDoor()
    await scriptAgent(door, script)
    const input = { agents: SCRIPT, budget: { ...NO_BUDGET, rounds: 2 }, calls: inTurn, answer_within_seconds: 600 }
    const handle = await start({ door, input })
    await expect
      .poll(async () => (await patientQuery(() => handle.query(stateQuery))).questions, { timeout: 60_000 })
      .toHaveLength(1)
    await handle.executeUpdate(answerUpdate, { args: [{ question: 'budget-1', option: 'continue', by: 'ann' }] })
    const { asked } = await finish(handle)
    expect(asked.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
  })

  it('is shared by calls that run at once, and one question is asked for all of them', async () => {
    const door = aDoor()
    const allowances: (number | null)[] = []
    const real = createAgentActivities(door)
    const watched: DoorActivities = {
      ...real,
      askAgent: async (order) => {
        allowances.push(order.allowance.tokens)
        return await real.askAgent(order)
      },
    }
    await scriptAgent(door, script)
    const budget = { ...NO_BUDGET, tokens: 12_000 }
    const calls = [
      ['a', 'b', 'c'].map((step) => aCall({ step, parallel: 3 })),
      [aCall({ step: 'd' }), aCall({ step: 'e' })],
    ]
    const { asked, state } = await finish(
      await start({ door, input: { agents: SCRIPT, budget, calls }, activities: watched }),
    )
    expect(allowances).toEqual([4_000, 4_000, 4_000])
    expect(asked.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'exhausted', 'exhausted'])
    expect(state.questions).toHaveLength(1)
  })
})

describe('cancelling', () => {
  it.skipIf(python === null)('kills the agent with all that it started', async () => {
    const seconds = sleeperSeconds()
    const door = aDoor()
    await houseAgent(door)
    const call = aCall({ input: { behave: 'fork', words: seconds } })
    const handle = await start({ door, input: { agents: [{ role: '*', agent: 'house' }], calls: [[call]] } })
    const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    await expect.poll(processes, { timeout: 60_000 }).toContain(`sleep ${seconds}`)
    await handle.cancel()
    const { asked, state } = await finish(handle)
    expect(asked).toMatchObject([{ status: 'canceled' }])
    expect(state.steps).toMatchObject([{ status: 'canceled' }])
    expect(processes()).not.toContain(`sleep ${seconds}`)
  })
})

describe('a worker that is told to end', () => {
  it.skipIf(python === null)('kills its agents with all that they started', async () => {
    const seconds = sleeperSeconds()
    const door = aDoor()
    await houseAgent(door)
    const call = aCall({ input: { behave: 'fork', words: seconds } })
    const handle = await start({ door, input: { agents: [{ role: '*', agent: 'house' }], calls: [[call]] } })
    const processes = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    await expect.poll(processes, { timeout: 60_000 }).toContain(`sleep ${seconds}`)
    await stops.pop()?.()
    expect(processes()).not.toContain(`sleep ${seconds}`)
    await handle.terminate()
  })
})

describe.skipIf(python === null)('a key of the worker', () => {
  it('is in no history, in no log and not in the file of the server', async () => {
    const door = aDoor({ env: { PATH: process.env['PATH'], HOUSE_KEY: SECRET } })
    await houseAgent(door, { env: ['HOUSE_KEY'] })
    const call = (step: string, behave: string) => aCall({ step, input: { behave, words: 'witness-of-the-input' } })
    const calls = [[call('a', 'secrets')], [call('b', 'secret failure')], [call('c', 'environment')]]
    const { asked } = await finish(await start({ door, input: { agents: [{ role: '*', agent: 'house' }], calls } }))
    expect(asked.map(({ status }) => status)).toEqual(['passed', 'failed', 'passed'])
    const files = [database, `${database}-wal`].filter((path) => existsSync(path))
    const stored = files.map((path) => readFileSync(path, 'latin1')).join('')
    expect(stored).toContain('witness-of-the-input')
    expect(stored).toContain('[secret HOUSE_KEY]')
    for (const text of [stored, JSON.stringify(asked), logged.join('\n')]) {
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 32))
    }
  })
})
