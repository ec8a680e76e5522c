import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cli, ensureBuilt, openPlace, type Place, until } from '../support/e2e-cli.js'
import { openWitness } from '../support/e2e-history.js'
import { hasServer, leftoversIn } from '../support/e2e-leftovers.js'
import { EXAMPLE, notesRepository, resultOf, slowScript } from '../support/e2e-refine.js'
import { git } from '../support/git-repository.js'

let place: Place

beforeAll(async () => {
  await ensureBuilt()
  place = openPlace('refine')
}, 180_000)

afterAll(async () => {
  await until('the end of the server', () => !hasServer(place.home))
  expect(leftoversIn(place.home).filter((name) => !name.startsWith('runs/'))).toEqual([])
  await place?.close()
})

describe('the example, with real reviewers', () => {
  it('passes, stalls, or uses its rounds up, as its README says', async () => {
    const repo = notesRepository()
    const common = ['run', 'refine', '--repo', repo, '--json', '--unsandboxed']
    const script = (name: string, role = '*') => ['--agent', `${role}=script:${join(EXAMPLE, name)}`]
    const [pass, stalled, last] = await Promise.all([
      place.run([...common, '--openspec', 'add-search', ...script('pass.json', 'code-writer')]),
      place.run([...common, '--requirement', 'Search', '--key', 'stalled', ...script('stalled.json')]),
      place.run([
        ...common,
        '--requirement',
        'Search',
        '--key',
        'last',
        '--max-rounds',
        '2',
        ...script('last-round.json'),
      ]),
    ])
    expect([pass.exit, stalled.exit, last.exit]).toEqual([0, 1, 1])
    expect(resultOf(stalled).document.verdict).toBe('STALLED')
    expect(resultOf(last).document.verdict).toBe('FAIL_MAX_ITERATIONS')
    const { document, result } = resultOf(pass)
    expect(document.verdict).toBe('PASS')
    expect(result.rounds.map(({ scores }) => scores.security)).toEqual([55, 70, 100])
    expect(result).toMatchObject({
      best_round: 3,
      leftovers: [],
      openspec: { task: expect.stringMatching(/^1\.1 /), is_ticked: true },
    })
    expect(git(repo, 'diff', '--stat', '--', 'openspec').split('\n')[0]).toMatch(/tasks\.md \| 2 \+-$/)
    expect(git(repo, 'diff', '-U0', '--', 'openspec')).toContain('+- [x] 1.1 Find')
    const context = readFileSync(join(repo, 'openspec/changes/add-search/context.md'), 'utf8')
    expect(context.match(/^## (Session|Quick Resume)/gm)).toEqual([
      '## Session',
      '## Session',
      '## Session',
      '## Quick Resume',
    ])
    const before = git(repo, 'status', '--porcelain')
    const pulled = await place.run(['pull', document.workflow_id, '--into', repo])
    expect(pulled.stdout).toContain(`git switch gauntlet/${result.key}`)
    expect(git(repo, 'show', `gauntlet/${result.key}:src/search.js`)).toContain('readFile(join(folder, file)')
    // Nobody works on it any more: what is written is what a worker would have said.
    expect(git(repo, 'status', '--porcelain')).toBe(before)
    await place.run(['pull', document.workflow_id, '--into', 'looked-at'])
    const kept = readdirSync(join(place.root, 'looked-at', 'rounds'))
    expect(kept).toEqual(['1', '2', '3'])
  }, 240_000)
})

describe('a run that is killed', () => {
  it('in every step ends like an undisturbed one: no agent is asked twice for what it has answered', async () => {
    const repo = notesRepository()
    const script = slowScript(place)
    const args = (key: string) => [
      'run',
      'refine',
      '--repo',
      repo,
      '--requirement',
      'x',
      '--key',
      key,
      '--agent',
      `*=script:${script}`,
      '--unsandboxed',
    ]
    const [plain, disturbed] = [args('plain'), args('killed')]
    // First, and alone: its worker would go on with the other run's work.
    const one = resultOf(await place.run([...plain, '--json']))
    for (const moment of MOMENTS) {
      const cli = place.start(disturbed)
      await cli.hears(/refine\/killed (?:started|is there already)/)
      await reaches(cli, moment)
      await cli.kill('SIGKILL')
    }
    const other = resultOf(await place.run([...disturbed, '--json']))
    expect(other.document).toMatchObject({ status: 'completed', verdict: 'PASS' })
    expect(summary(other.result)).toEqual(summary(one.result))
    expect(other.result.leftovers).toEqual([])
  }, 600_000)
})

/** Every step once, in whichever round it is by then; where a step is over before it is seen, right behind it. */
const MOMENTS = [
  { activity: 'detectTechStack', step: 'tech stack' },
  { activity: 'askAgent', step: 'code-writer' },
  { activity: 'measureChange', step: 'code-writer' },
  { activity: 'askAgent', step: 'security-reviewer' },
  { activity: 'judgeRound', step: 'aggregate' },
  { activity: 'keepBranch', step: 'best round' },
]

async function reaches(cli: Cli, { activity, step }: (typeof MOMENTS)[number]): Promise<void> {
  const witness = await openWitness(place.home, 'refine/killed')
  const isUnderWay = async () =>
    cli.said().includes(`${step} running`) &&
    (await witness.pending()).some(({ name, isStarted }) => name === activity && isStarted)
  try {
    await until(`${step} of the run`, async () => cli.said().includes(`${step} passed`) || (await isUnderWay()))
  } finally {
    await witness.close()
  }
}

/** What does not depend on when a run was made. */
function summary({ rounds, repository, ...result }: ReturnType<typeof resultOf>['result']) {
  const trees = rounds.map(({ commit }) => git(repository.url, 'rev-parse', `${commit}^{tree}`))
  const told = rounds.map(({ round, scores, overall, recommendation, reason }) => ({
    round,
    scores,
    overall,
    recommendation,
    reason,
  }))
  return { trees, told, best: result.best_round, alarms: result.alarms }
}
