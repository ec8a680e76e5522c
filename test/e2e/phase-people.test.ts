import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Question } from '../../src/contracts/run.js'
import { startWorker } from '../support/e2e-chaos.js'
import { type Cli, type Ended, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { type Deed, type Desk, hasPython, openDesk, type Question as Asked } from '../support/e2e-desk.js'
import { answerAboutSums, phaseResultOf, sumsRepository } from '../support/e2e-phase.js'
import { type GitServer, gitHttpServer } from '../support/git-http-server.js'
import { git, put } from '../support/git-repository.js'

const KEY = 'by-hand'

describe.skipIf(!hasPython)(`a person in a phase run${hasPython ? '' : ' (left out: no /usr/bin/python3)'}`, () => {
  let place: Place
  let desk: Desk
  let worker: Cli
  let repo: string

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('phase-people')
    desk = await openDesk(place, answerWithoutCoder)
    repo = sumsRepository()
    worker = await startWorker(place, { CIRCT_BIN: '' })
    const options = ['--quality', 'fast', '--approve', 'plan,merge', '--ask', '--unsandboxed', ...desk.agent(KEY)]
    await good(['start', 'phase', '1', '--repo', repo, '--key', KEY, ...options])
  }, 180_000)
  afterAll(async () => {
    await worker?.kill('SIGTERM')
    await desk?.close()
    await place?.close()
  })

  it('approves a plan that can be looked at', async () => {
    await asks('plan')
    const { stdout } = await good(['inbox'])
    expect(stdout).toContain('TASK-001 Add (coder, priority 5)')
    expect(stdout).toContain(`gauntlet pull phase/${KEY} --into DIR`)
    await good(['pull', KEY, '--into', 'look'])
    const plan = JSON.parse(readFileSync(join(place.root, 'look/.openmatrix/plan.json'), 'utf8')) as { id: string }[]
    expect(plan.map(({ id }) => id)).toEqual(['TASK-001'])
    await good(['answer', KEY, 'plan', '--option', 'approve'])
  }, 180_000)

  it('takes a blocked task over, and the run goes on from what they commit', async () => {
    const { title } = await asks('TASK-001-blocked-1')
    expect(title).toBe('TASK-001 Add: which numbers?')
    const refused = await place.run(['answer', KEY, 'TASK-001-blocked-1', '--option', 'take-over', '--into', 'look'])
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('expected a folder that is empty')])
    const taken = await good(['answer', KEY, 'TASK-001-blocked-1', '--option', 'take-over', '--json'])
    expect(JSON.parse(taken.stdout)).toMatchObject({ folder: 'gauntlet-TASK-001', branch: 'gauntlet/TASK-001' })
    const mine = join(place.root, 'gauntlet-TASK-001')
    const { edits = {} } = answerAboutSums({ role: 'tester', task_id: 'TASK-001', input: null })
    put(mine, { ...edits, 'src/add.js': 'export const add = (a, b) => a + b // by hand\n' })
    const question = 'TASK-001-take-over-1-1'
    const early = await place.run(['answer', KEY, question, '--from', mine])
    expect([early.exit, early.stderr]).toEqual([2, expect.stringContaining('expected everything committed')])
    git(mine, 'add', '--all')
    git(mine, 'commit', '--quiet', '-m', 'by hand')
    await good(['answer', KEY, question, '--from', mine])
  }, 180_000)

  it('approves the result, whose whole change can be looked at', async () => {
    const { detail } = await asks('merge')
    expect(detail).toContain('.openmatrix/change.diff')
    await good(['pull', KEY, '--into', 'look-again'])
    const diff = readFileSync(join(place.root, 'look-again/.openmatrix/change.diff'), 'utf8')
    expect(diff).toContain('+export const add = (a, b) => a + b // by hand')
    await good(['answer', KEY, 'merge', '--option', 'approve'])
    await until('the end', async () => (await place.run(['result', KEY, '--json'])).stdout.includes('"verdict"'))
    const { document, result } = phaseResultOf(await good(['result', KEY, '--json']))
    expect(document.verdict).toBe('accepted')
    await good(['pull', KEY, '--into', repo])
    expect(git(repo, 'log', '--format=%s', `gauntlet/${KEY}`)).toBe('by hand\nfirst')
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed'])
    // Nobody was paid for what a person did.
    const about = `${KEY} coder TASK-001`
    expect(desk.asked.filter((name) => name === about)).toHaveLength(2)
  }, 180_000)

  async function good(args: readonly string[]): Promise<Ended> {
    const ended = await place.run(args)
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0)
    return ended
  }

  /** Waits for a question as a program would. */
  async function asks(id: string): Promise<Question> {
    let found: Question | undefined
    await until(`the question ${id}`, async () => {
      const { stdout } = await good(['inbox', '--json'])
      const open = JSON.parse(stdout) as { question: Question | null }[]
      found = open.map(({ question }) => question).find((question) => question?.id === id) ?? undefined
      return found !== undefined
    })
    if (found === undefined) throw new Error(`the run does not ask ${id}`)
    return found
  }
})

describe.skipIf(!hasPython)('a person who wants to see the plan first', () => {
  it('of a repository at a URL is shown it and nothing else, and has it followed as they left it, without a planner', async () => {
    const place = openPlace('phase-plan')
    const desk = await openDesk(place, answerAboutSums)
    let server: GitServer | undefined
    try {
      await ensureBuilt()
      const repo = sumsRepository()
      server = await gitHttpServer(dirname(repo))
      const options = [
        '2',
        '--repo',
        server.url(`${basename(repo)}/.git`),
        '--quality',
        'fast',
        '--unsandboxed',
        ...desk.agent('planned'),
      ]
      const shown = await place.run(['plan', ...options])
      expect([shown.exit, shown.stderr]).toEqual([0, expect.any(String)])
      expect(shown.stdout).toMatch(/^TASK-001 +Add +coder +priority 5 +low/)
      const planned = await place.run(['plan', ...options, '--json'])
      const tasks = JSON.parse(planned.stdout) as { id: string }[]
      expect(tasks.map(({ id }) => id)).toEqual(['TASK-001', 'TASK-002'])
      expect(desk.asked.every((name) => name.includes('planner'))).toBe(true)
      const asked = desk.asked.length
      writeFileSync(join(place.root, 'plan.json'), JSON.stringify(tasks.slice(1)))
      const { document, result } = phaseResultOf(
        await place.run(['run', 'phase', ...options, '--plan', join(place.root, 'plan.json'), '--json']),
      )
      expect(document.verdict).toBe('accepted')
      expect(result.tasks.map(({ id, status }) => [id, status])).toEqual([['TASK-002', 'completed']])
      expect(desk.asked.slice(asked).some((name) => name.includes('planner'))).toBe(false)
    } finally {
      await server?.close()
      await desk.close()
      await place.close()
    }
  }, 600_000)
})

/** The coder never knows how. */
function answerWithoutCoder(question: Asked): Deed {
  if (question.role === 'researcher') return { answer: REPORT }
  if (question.role !== 'coder') return answerAboutSums(question)
  const blocked = { reason: 'which numbers?', type: 'information', missingInfo: ['the numbers'] }
  return { answer: { summary: 'nothing', files: [], blocked } }
}

const REPORT = {
  summary: 'Nobody says which numbers.',
  approaches: [],
  tools: [],
  challenges: [],
  recommendations: ['Ask.'],
  resources: [],
}
