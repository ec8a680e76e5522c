import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readServerRecord } from '../../src/workers/server-record.js'
import { startWorker } from '../support/e2e-chaos.js'
import { refsOf, treeWith } from '../support/e2e-checkout.js'
import { type Cli, type Ended, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { type Desk, hasPython, openDesk } from '../support/e2e-desk.js'
import { openWitness, type Witness } from '../support/e2e-history.js'
import { hasServer, leftoversIn, programsIn } from '../support/e2e-leftovers.js'
import { answerAboutSums, phaseResultOf, sumsEdits, sumsRepository } from '../support/e2e-phase.js'
import { git } from '../support/git-repository.js'

/** Runs by their keys, and how many tasks each has. `plain` is never disturbed but by what comes for all. */
const RUNS = { plain: 2, planned: 1, early: 2, late: 2 }

describe.skipIf(!hasPython)(`killed phase runs${hasPython ? '' : ' (left out: no /usr/bin/python3)'}`, () => {
  let place: Place
  let desk: Desk
  let repo: string
  let worker: Cli

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('phase-killed')
    desk = await openDesk(place, answerAboutSums)
    repo = sumsRepository()
    worker = await startWorker(place, ENV)
    desk.hold('planned planner', 'early tester TASK-001', 'early coder TASK-002')
    desk.hold('late reviewer TASK-001', 'late coder TASK-002')
    for (const [key, tasks] of Object.entries(RUNS)) {
      const options = ['--key', key, '--isolation', 'always', '--unsandboxed', ...desk.agent(key)]
      await good(['start', 'phase', String(tasks), '--repo', repo, ...options])
    }
    await closed('phase/plain')
  }, 600_000)
  afterAll(async () => {
    await worker?.kill('SIGKILL')
    await desk?.close()
    await place?.close()
  })

  it('a worker is killed while one run plans, one tests and develops, one verifies and accepts', async () => {
    await desk.has('planned planner', 'early tester TASK-001', 'early coder TASK-002')
    await desk.has('late reviewer TASK-001', 'late coder TASK-002')
    desk.release('late coder TASK-002')
    await underWay('phase/late/TASK-002/1', 'measureGates')
    await worker.kill('SIGKILL')
    const lost = ['planned planner', 'early tester TASK-001', 'early coder TASK-002', 'late reviewer TASK-001']
    await allLost(lost)
  }, 300_000)

  it('the next one is killed while a merge waits for a lock that a killed git has left', async () => {
    desk.release('early tester TASK-001', 'early coder TASK-002')
    desk.hold('early reviewer TASK-002', 'late reviewer TASK-002')
    worker = await startWorker(place, ENV)
    await closed('phase/early/TASK-001/1')
    await desk.has('planned planner', 'early reviewer TASK-002', 'late reviewer TASK-001', 'late reviewer TASK-002')
    await leaveLock('early', 'TASK-002-merge/1')
    desk.release('early reviewer TASK-002')
    await underWay('phase/early', 'mergeTask')
    await worker.kill('SIGKILL')
    await allLost(['planned planner', 'late reviewer TASK-001', 'late reviewer TASK-002'])
  }, 300_000)

  it('server and worker are killed together while the gates judge a result', async () => {
    desk.release('late reviewer TASK-001', 'late reviewer TASK-002')
    worker = await startWorker(place, ENV)
    await underWay('phase/late', 'measureGates')
    await desk.has('planned planner')
    process.kill(readServerRecord(place.home)?.owner?.pid ?? NaN, 'SIGKILL')
    await worker.kill('SIGKILL')
    await allLost(['planned planner'])
  }, 300_000)

  it('all end as the undisturbed one: the same tree, the same refs', async () => {
    desk.release()
    worker = await startWorker(place, ENV)
    for (const key of Object.keys(RUNS)) await closed(`phase/${key}`)
    const ends = await Promise.all(Object.entries(RUNS).map(([key, tasks]) => endOf(key, tasks)))
    const [plain, planned, early, late] = ends
    expect([early, late]).toEqual([plain, plain])
    expect(plain?.refs).toHaveProperty('refs/gauntlet/RUN/merge/1')
    expect(planned?.verdict).toBe('accepted')
  }, 300_000)

  it('no agent is asked again but those who were lost before they had answered', () => {
    const tasks = (count: number) => ['TASK-001', 'TASK-002'].slice(0, count)
    const once = Object.entries(RUNS).flatMap(([key, count]) => [
      `${key} planner`,
      ...tasks(count).flatMap((task) => ['tester', 'coder', 'reviewer'].map((role) => `${key} ${role} ${task}`)),
    ])
    expect(desk.asked.toSorted()).toEqual([...once, ...desk.lost].sort())
  })

  it('nothing is left over', async () => {
    await worker.kill('SIGTERM')
    await until('the end of the server', () => !hasServer(place.home))
    expect(programsIn(place)).toEqual([])
    expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
    expect(git(repo, 'status', '--short')).toBe('')
  }, 60_000)

  async function good(args: readonly string[]): Promise<Ended> {
    const ended = await place.run(args)
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0)
    return ended
  }

  async function witnessed(id: string, what: string, isTrue: (witness: Witness) => Promise<boolean>): Promise<void> {
    const witness = await openWitness(place.home, id)
    try {
      await until(`${what} of ${id}`, () => isTrue(witness), 240_000)
    } finally {
      await witness.close()
    }
  }

  async function underWay(id: string, activity: string): Promise<void> {
    await witnessed(id, activity, async (witness) =>
      (await witness.pending()).some(({ name, isStarted }) => name === activity && isStarted),
    )
  }

  async function closed(id: string): Promise<void> {
    await witnessed(id, 'the end', (witness) => witness.isClosed())
  }

  /** Since the last look. */
  async function allLost(names: readonly string[]): Promise<void> {
    seen.push(...names)
    await until('the end of its agents', () => desk.lost.length >= seen.length)
    expect(desk.lost.toSorted()).toEqual(seen.toSorted())
  }
  const seen: string[] = []

  async function leaveLock(key: string, name: string): Promise<void> {
    const { run_id } = JSON.parse((await good(['status', key, '--json'])).stdout) as { run_id: string }
    const lock = join(repositoryOf(key), 'refs/gauntlet', run_id, `${name}.lock`)
    mkdirSync(join(lock, '..'), { recursive: true })
    writeFileSync(lock, '')
  }

  function repositoryOf(key: string): string {
    const names = readdirSync(join(place.home, 'repos')).filter((name) => name.startsWith(`phase-${key}-`))
    expect(names).toHaveLength(1)
    return join(place.home, 'repos', names[0] ?? '')
  }

  async function endOf(key: string, tasks: number) {
    const { document, result } = phaseResultOf(await good(['result', key, '--json']))
    // Whichever task is second is the one that is merged.
    const renamed = Object.entries(refsOf(repositoryOf(key), document.run_id))
    const refs = Object.fromEntries(renamed.map(([ref, tree]) => [ref.replace(/TASK-\d+-merge/, 'merge'), tree]))
    expect(refs['refs/heads/gauntlet/RUN/result']).toBe(treeWith(repo, sumsEdits(tasks)))
    const { [`refs/gauntlet/phase-${key}-${result.base.slice(0, 12)}/base/0`]: base, ...own } = refs
    expect(base).toBe(git(repo, 'rev-parse', 'HEAD^{tree}'))
    const ends = result.tasks.map(({ id, status, seen_red }) => ({ id, status, seen_red }))
    return { verdict: document.verdict, ends, notes: result.notes, refs: own }
  }
})

const ENV = { CIRCT_BIN: '' }
