import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { photographOf, refsOf, treeWith } from '../support/e2e-checkout.js'
import { type Ended, ensureBuilt, openPlace, type Place } from '../support/e2e-cli.js'
import { hasServer, leftoversIn, programsIn } from '../support/e2e-leftovers.js'
import { readHistories, type Told } from '../support/e2e-outcomes.js'
import { phaseResultOf } from '../support/e2e-phase.js'
import { git } from '../support/git-repository.js'
import { testCache } from '../support/temporal.js'

const EXAMPLE = fileURLToPath(new URL('../../examples/phase', import.meta.url))

describe('gauntlet demo phase', () => {
  let place: Place
  let repo: string
  let before: string[]
  let ended: Ended
  let result: ReturnType<typeof phaseResultOf>['result']
  let runId: string
  let repository: string

  beforeAll(async () => {
    await ensureBuilt()
    place = openPlace('phase-demo')
    shareDependencies(place)
    repo = theProject(place)
    before = photographOf(repo)
    ended = await place.run(['demo', 'phase', '--dir', place.root, '--json'])
    const told = phaseResultOf(ended)
    ;({ result } = told)
    runId = told.document.run_id
    expect(told.document).toMatchObject({ status: 'completed', verdict: 'accepted' })
    repository = join(place.home, 'repos', onlyName(place))
  }, 1_200_000)
  afterAll(() => place?.close())

  it('is accepted, with every task seen red and green', () => {
    expect(ended.exit).toBe(0)
    expect(result.tasks.map(({ id, status, seen_red }) => [id, status, seen_red])).toEqual([
      ['TASK-001', 'completed', true],
      ['TASK-002', 'completed', true],
      ['TASK-003', 'completed', true],
    ])
    expect(result.notes).toEqual([])
  })

  it('leaves a branch with the tree that the accepted edits make', () => {
    expect(git(repository, 'rev-parse', `${result.branch}^{tree}`)).toBe(treeWith(repo, acceptedEdits()))
  })

  it('has caught each of the five mistakes', async () => {
    const ids = ['', '/TASK-001/1', '/TASK-002/1', '/TASK-003/1'].map((part) => `phase/demo-time-sheet${part}`)
    const [run = [], reads = [], writes = [], sums = []] = await readHistories(place.home, ids)
    expect(run.filter(({ activity }) => activity === 'askAgent').map(({ failure }) => failure)).toEqual([
      'The dependencies form a cycle: TASK-001 → TASK-003 → TASK-001.',
      null,
    ])
    expect(measured(reads)).toEqual([
      'tdd already_passing',
      'tdd red',
      'develop green',
      'accept not_approved',
      'develop green',
      'accept approved',
    ])
    expect(measured(writes)).toEqual([
      'tdd red',
      'develop changed test/format-duration.test.ts',
      'develop green',
      'accept approved',
    ])
    expect(measured(sums)).toEqual([
      'tdd red',
      'develop still_red',
      'develop still_red',
      'develop green',
      'accept approved',
    ])
  }, 60_000)

  it('tells in its result what was caught', () => {
    expect(result.caught.map(({ task, phase }) => `${task} ${phase}`)).toEqual([
      'null plan',
      'TASK-001 tdd',
      'TASK-001 accept',
      'TASK-002 develop',
      'TASK-003 develop',
      'TASK-003 develop',
    ])
    expect(result.caught[0]?.what).toContain('TASK-001 → TASK-003 → TASK-001')
  })

  it('has published every round of work once, what was refused of it too', () => {
    const names = Object.keys(refsOf(repository, runId)).filter((name) => !name.includes('-merge/'))
    const rounds = {
      'TASK-001-tdd': 2,
      'TASK-001-develop': 2,
      'TASK-002-tdd': 1,
      'TASK-002-develop': 2,
      'TASK-003-tdd': 1,
      'TASK-003-develop': 3,
    }
    const expected = Object.entries(rounds).flatMap(([step, count]) =>
      Array.from({ length: count }, (_, at) => `refs/gauntlet/RUN/${step}/${at + 1}`),
    )
    expect(names.filter((name) => name.startsWith('refs/gauntlet/RUN/')).sort()).toEqual(expected.sort())
    expect(names.filter((name) => name.startsWith('refs/heads/'))).toEqual(['refs/heads/gauntlet/RUN/result'])
  })

  it("leaves nothing else: no scratch, no process, and the person's checkout as it was", () => {
    expect(photographOf(repo)).toEqual(before)
    expect(hasServer(place.home)).toBe(false)
    expect(programsIn(place)).toEqual([])
    expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
    expect(git(repo, 'status', '--short')).toBe('')
  })

  it('is brought into the checkout as a branch, and nothing that is checked out changes', async () => {
    const pulled = await place.run(['pull', 'demo-time-sheet', '--into', repo])
    expect(pulled.exit, pulled.stderr).toBe(0)
    expect(git(repo, 'rev-parse', 'gauntlet/demo-time-sheet')).toBe(result.commit)
    expect(git(repo, 'symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(git(repo, 'status', '--short')).toBe('')
  }, 60_000)
})

/** Installed once for all runs of the tests. */
function shareDependencies({ home }: Place): void {
  const shared = join(testCache(), 'deps')
  mkdirSync(shared, { recursive: true })
  mkdirSync(home, { recursive: true })
  symlinkSync(shared, join(home, 'deps'))
}

/** Made before the demo, which takes it as it is: so that everything the demo does to it is seen. */
function theProject({ root }: Place): string {
  const folder = join(root, 'time-sheet')
  cpSync(join(EXAMPLE, 'project'), folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '-m', 'feat: units of time')
  return folder
}

function onlyName({ home }: Place): string {
  const names = readdirSync(join(home, 'repos'))
  expect(names).toHaveLength(1)
  return names[0] ?? ''
}

interface Script {
  answers: { role: string; task_id?: string; round?: number; edits?: { path: string; content: string }[] }[]
}

/** Of all that the agents write: what is left in the end, when nothing of a trespass is taken. */
function acceptedEdits(): Record<string, string> {
  const { answers } = JSON.parse(readFileSync(join(EXAMPLE, 'script.json'), 'utf8')) as Script
  const isTrespass = ({ role, task_id, round }: Script['answers'][number]) =>
    role === 'coder' && task_id === 'TASK-002' && round === 1
  const edits = answers.filter((answer) => !isTrespass(answer)).flatMap(({ edits: made = [] }) => made)
  return Object.fromEntries(edits.map(({ path, content }) => [path, content]))
}

/** What the engine found out, one line for each round of a phase. */
function measured(told: readonly Told[]): string[] {
  return told.flatMap(({ activity, input, answer }) => {
    if (activity === 'measureTests') return [`${String(input['phase'])} ${String(answer?.['outcome'])}`]
    if (activity !== 'askAgent') return []
    const { trespasses, extract } = answer as { trespasses: string[]; extract: { outcome?: string } }
    if (trespasses.length > 0) return [`develop changed ${trespasses.join(', ')}`]
    return extract.outcome === undefined ? [] : [`accept ${extract.outcome}`]
  })
}
