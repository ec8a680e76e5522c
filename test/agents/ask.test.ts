import { beforeAll, describe, expect, it } from 'vitest'
import type { AskSetup } from '../../src/agents/ask-call.js'
import type { AgentFailureDetails, AgentOrder, Workspace } from '../../src/contracts/agent.js'
import type { ArtifactStore } from '../../src/contracts/store.js'
import { attemptRef } from '../../src/rules/git/ref-names.js'
import { aDoor, asking, scriptAgent, transcriptOf } from '../support/agent-door.js'
import { aRun, git, type Run } from '../support/git-repository.js'
import { memoryStore } from '../support/memory-store.js'

let run: Run
let workspace: Workspace

beforeAll(async () => {
  run = await aRun({ 'given.txt': 'old\n', 'tests/it.txt': 'the test\n' })
  workspace = { repository: run.repository, commit: run.base, protected: ['tests/it.txt'] }
})

let steps = 0
/** Every test has a step of its own. */
function aCoder(rest: Partial<AgentOrder> = {}): Partial<AgentOrder> {
  return { role: 'coder', agent: 'script', step: `develop-${(steps += 1)}`, workspace, ...rest }
}

function refs(step: string): string[] {
  const found = git(run.repository.url, 'for-each-ref', '--format=%(refname)', 'refs/gauntlet/r1').split('\n')
  return found.filter(
    (ref) => ref.startsWith(`refs/gauntlet/r1/${step}/`) || ref.startsWith(`refs/gauntlet/r1/${step}-`),
  )
}

async function failureOf(
  asked: Promise<unknown>,
): Promise<{ type: string; message: string; details: AgentFailureDetails }> {
  return await asked.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as { type: string; message: string; details: AgentFailureDetails },
  )
}

const GOOD = { n: 7, words: 'done' }

describe('a role that edits', () => {
  it('has its changes published once, as one commit on the one it began with', async () => {
    const door = aDoor({}, run)
    const edits = [
      { path: 'given.txt', content: 'new\n' },
      { path: 'src/made.txt', content: 'made\n' },
    ]
    await scriptAgent(door, [{ role: 'coder', answer: GOOD, edits }])
    const order = aCoder()
    const reply = await asking(door, order)
    expect(reply).toMatchObject({
      extract: GOOD,
      changed_files: 2,
      changes: [
        { action: 'modify', path: 'given.txt' },
        { action: 'create', path: 'src/made.txt' },
      ],
      trespasses: [],
      usage: { input_tokens: 0, output_tokens: 0, cost: 0 },
    })
    const ref = attemptRef({ run: 'r1', step: order.step ?? '', round: 1 })
    expect(git(run.repository.url, 'rev-parse', ref, `${ref}^`).split('\n')).toEqual([reply.commit, run.base])
    expect(git(run.repository.url, 'show', '--no-patch', '--format=%an %ad', '--date=iso-strict', ref)).toContain(
      'Gauntlet coder 2026-01-02',
    )
  })

  it('that changes nothing publishes nothing, and its result is the commit it began with', async () => {
    const door = aDoor({}, run)
    await scriptAgent(door, [{ role: 'coder', answer: GOOD }])
    const order = aCoder()
    expect(await asking(door, order)).toMatchObject({ commit: run.base, changes: [], changed_files: 0 })
    expect(refs(order.step ?? '')).toEqual([])
  })

  it('is told of protected files it changed, also when it did so in an earlier attempt of the round', async () => {
    const door = aDoor({}, run)
    await scriptAgent(door, [
      { role: 'coder', attempt: 1, text: 'no answer', edits: [{ path: 'tests/it.txt', content: 'easier\n' }] },
      { role: 'coder', attempt: 2, answer: GOOD, edits: [{ path: 'given.txt', content: 'new\n' }] },
    ])
    const order = aCoder()
    const { details } = await failureOf(asking(door, order))
    const again = { ...order, attempt: 2, continue_from: details.commit ?? null, complaints: details.complaints ?? [] }
    const reply = await asking(door, again)
    expect(reply).toMatchObject({ trespasses: ['tests/it.txt'], changed_files: 2 })
    expect(git(run.repository.url, 'rev-parse', `${reply.commit}^`)).toBe(run.base)
  })

  it('whose answer does not fit keeps its edits for the next attempt', async () => {
    const door = aDoor({}, run)
    await scriptAgent(door, [
      { role: 'coder', answer: { n: 13, words: '' }, edits: [{ path: 'given.txt', content: 'new\n' }] },
    ])
    const order = aCoder()
    const { type, message, details } = await failureOf(asking(door, order))
    expect({ type, message }).toEqual({ type: 'Agent.InvalidAnswer', message: '13 is unlucky: take another number' })
    expect(refs(order.step ?? '')).toEqual([`refs/gauntlet/r1/${order.step}-1-refused/1`])
    expect(git(run.repository.url, 'show', `${details.commit}:given.txt`)).toBe('new')
    expect(details.usage).toMatchObject({ cost: 0 })
  })

  it('whose files cannot be committed is told why, and nothing is published', async () => {
    const door = aDoor({ env: { PATH: process.env['PATH'], SOME_TOKEN: 'planted-secret' } }, run)
    await scriptAgent(door, [
      { role: 'coder', answer: GOOD, edits: [{ path: 'config.txt', content: 'key=planted-secret' }] },
    ])
    const order = aCoder()
    const { type, details } = await failureOf(asking(door, order))
    expect(type).toBe('Agent.InvalidAnswer')
    expect(details).toMatchObject({
      complaints: ['"config.txt" holds a secret of the environment: take it out'],
      commit: null,
    })
    expect(refs(order.step ?? '')).toEqual([])
  })
})

describe('a role that only reads', () => {
  it('sees the files, and what it would change goes nowhere', async () => {
    const door = aDoor({}, run)
    await scriptAgent(door, [{ role: 'researcher', answer: GOOD, edits: [{ path: 'given.txt', content: 'new\n' }] }])
    const order = aCoder({ role: 'researcher' })
    await expect(asking(door, order)).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringContaining('researcher may not make') as unknown,
    })
    await scriptAgent(door, [{ role: 'researcher', answer: GOOD }])
    const reply = await asking(door, order)
    expect(reply).toMatchObject({ commit: null, changes: [] })
    const [request] = await transcriptOf(door, reply.transcript)
    expect(request).toMatchObject({ kind: 'request', prompt: 'behave: answer; given: old\n', abilities: 'read' })
  })
})

/** A worker that dies when it does this for the first time. */
class Killed extends Error {}

function dyingStore(store: ArtifactStore, at: 'publish' | 'put record'): ArtifactStore {
  let isAlive = true
  const die = () => {
    if (!isAlive) return
    isAlive = false
    throw new Killed()
  }
  return {
    ...store,
    publish: async (key, value) => {
      const bound = await store.publish(key, value)
      if (at === 'publish' && key.startsWith('ask/')) die()
      return bound
    },
    put: async (name, content, type) => {
      if (at === 'put record' && name.includes('record')) die()
      return await store.put(name, content, type)
    },
  }
}

describe('a call whose worker was lost', () => {
  const counted = async (door: AskSetup) => {
    const edits = [{ path: 'given.txt', content: 'new\n' }]
    return await scriptAgent(door, [
      { role: 'coder', answer: GOOD, edits, usage: { input_tokens: 5, output_tokens: 6 } },
    ])
  }

  it('between the published commit and the reply is answered from the commit, and nobody is asked', async () => {
    const store = memoryStore()
    const first = aDoor({ store }, run)
    await counted(first)
    const order = aCoder()
    const reply = await asking(first, order)
    // Another worker, which does not even know the agent; the first one told nobody of its reply.
    const second = aDoor({ store }, run)
    expect(await asking(second, order)).toEqual(reply)
    expect(reply.usage).toMatchObject({ input_tokens: 5, output_tokens: 6 })
  })

  it('between the published commit of a refused answer and the failure fails the same way', async () => {
    const store = memoryStore()
    const first = aDoor({ store }, run)
    await scriptAgent(first, [{ role: 'coder', text: 'no', edits: [{ path: 'given.txt', content: 'x\n' }] }])
    const order = aCoder()
    const failure = await failureOf(asking(first, order))
    const again = await failureOf(asking(aDoor({ store }, run), order))
    expect(again.message).toBe(failure.message)
    expect(again.details).toEqual(failure.details)
  })

  it.each(['planner', 'coder'] as const)(
    'after a %s that changed nothing was kept, is answered from the store',
    async (role) => {
      const store = memoryStore()
      const first = aDoor({ store: dyingStore(store, 'publish') }, run)
      await scriptAgent(first, [{ role, answer: GOOD }])
      const order = aCoder({ role })
      await expect(asking(first, order)).rejects.toBeInstanceOf(Killed)
      expect(await asking(aDoor({ store }, run), order)).toMatchObject({ extract: GOOD })
    },
  )

  it('before anything was published asks again, and comes to the same commit', async () => {
    const store = memoryStore()
    const first = aDoor({ store: dyingStore(store, 'put record') }, run)
    await counted(first)
    const order = aCoder()
    await expect(asking(first, order)).rejects.toBeInstanceOf(Killed)
    expect(refs(order.step ?? '')).toEqual([])
    expect(await asking(first, order)).toMatchObject({ extract: GOOD, changed_files: 1 })
  })

  it('that was not dead after all adopts what its successor published', async () => {
    const store = memoryStore()
    const late = aDoor({ store }, run)
    const order = aCoder()
    await scriptAgent(late, [
      {
        role: 'coder',
        answer: { n: 1, words: 'late' },
        edits: [{ path: 'given.txt', content: 'late\n' }],
        delay_ms: 1_500,
      },
    ])
    const slow = asking(late, order)
    const quick = aDoor({ store }, run)
    await counted(quick)
    const reply = await asking(quick, order)
    expect(await slow).toEqual(reply)
  })
})

it('two questions of a run under one name are refused, not mixed up', async () => {
  const door = aDoor({}, run)
  await scriptAgent(door, [{ role: 'coder', answer: GOOD, edits: [{ path: 'given.txt', content: 'new\n' }] }])
  const order = aCoder()
  await asking(door, order)
  const other = asking(door, { ...order, input: { behave: 'other', words: '' } })
  await expect(other).rejects.toMatchObject({
    type: 'Contract.Violated',
    message: expect.stringContaining('another question') as unknown,
  })
})

it('input that does not fit the role is our own mistake', async () => {
  const refused = asking(aDoor(), { input: { behave: 1 } })
  await expect(refused).rejects.toMatchObject({
    type: 'Contract.Violated',
    message: expect.stringContaining('input of the planner: behave') as unknown,
  })
})
