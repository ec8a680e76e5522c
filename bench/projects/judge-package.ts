import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestVerdict } from '../../src/contracts/phase-quality.js'
import type { QualityReport } from '../../src/contracts/quality.js'
import { qualityOf } from '../../src/rules/quality.js'
import { type MeasuredRun, measureCommitTests } from '../../src/tools/gates/measure-commit-tests.js'
import { runGatesAtCommit } from '../../src/tools/gates/run-gates-at-commit.js'
import type { Git } from '../../src/tools/git/git.js'
import { type Mirror, openMirror } from '../../src/tools/git/mirror.js'
import { createRunRepository, runRepositoryFolder } from '../../src/tools/git/run-repository.js'
import { measureTaskTests } from '../../src/tools/phase/measure-task-tests.js'
import { hasSandbox, runner } from '../../test/support/git-repository.js'
import { memoryStore } from '../../test/support/memory-store.js'
import { fetchPackage } from './fetch-package.js'
import { type Counts, ownCounts, prepareOwn } from './own-report.js'
import { historyOf, type PackageHistory } from './package-history.js'
import type { PublicPackage } from './public-package.js'

/** What could be measured, or why it could not. */
type Told<T> = T | { trouble: string }

export interface Judgement {
  entry: PublicPackage
  untouched: { own: Told<Counts>; ours: Told<MeasuredRun>; gates: Told<QualityReport> }
  broken: { own: Told<Counts>; ours: Told<MeasuredRun>; gates: Told<QualityReport> }
  /** Tests for the broken function, a try that leaves it broken, the function restored, tests for a function that works. */
  verdicts: Record<'red' | 'tried' | 'green' | 'late', Told<TestVerdict>>
}

export async function judgePackage(
  entry: PublicPackage,
  { git, work }: { git: Git; work: string },
): Promise<Judgement> {
  const name = entry.name.replaceAll(/\W/g, '-')
  const source = join(work, name)
  await mkdir(source)
  await fetchPackage(entry, { into: source, scratch: work })
  const own = join(work, `${name}-own`)
  await cp(source, own, { recursive: true })
  const commits = historyOf(entry, source)
  const place = await placeOf(git, name, source)
  const [ownUntouched, ownBroken] = await ownBoth(entry, own)
  const at = async (commit: string) => ({
    ours: await told(() => measureCommitTests({ ...orderOf(place, commits, commit), files: null })),
    gates: await told(() => runGatesAtCommit({ ...orderOf(place, commits, commit), quality: ASKED, criteria: [] })),
  })
  return {
    entry,
    untouched: { own: ownUntouched, ...(await at(commits.untouched)) },
    broken: { own: ownBroken, ...(await at(commits.broken)) },
    verdicts: await verdictsOf(place, commits),
  }
}

/** What strict asks for, without a minimum of coverage: nobody here chose the tests. */
const ASKED = qualityOf(null, { level: 'strict', minCoverage: 0 })

async function ownBoth(entry: PublicPackage, folder: string): Promise<[Told<Counts>, Told<Counts>]> {
  await prepareOwn(entry, folder)
  const untouched = await told(() => ownCounts(entry, folder))
  const { file, find, replace } = entry.edit
  const text = await readFile(join(folder, file), 'utf8')
  await writeFile(
    join(folder, file),
    text.replace(find, () => replace),
  )
  return [untouched, await told(() => ownCounts(entry, folder))]
}

interface Place {
  git: Git
  mirror: Mirror
}

async function placeOf(git: Git, name: string, source: string): Promise<Place> {
  const into = { url: runRepositoryFolder(git, name) }
  const { repository } = await createRunRepository({ git, source: { url: source }, base: 'HEAD', run: name, into })
  return { git, mirror: await openMirror(git, repository) }
}

function orderOf({ git, mirror }: Place, { untouched }: PackageHistory, commit: string) {
  return { ...boxOf(git), mirror, commit, base: untouched }
}

function boxOf(git: Git) {
  const signal = new AbortController().signal
  return { run: runner, isSandboxed: hasSandbox, env: process.env, signal, scratchRoot: join(git.home, 'scratch') }
}

/** As the phase pipeline asks: a tester's commit, then the coder's, each judged by what was there before. */
async function verdictsOf({ git, mirror }: Place, commits: PackageHistory): Promise<Judgement['verdicts']> {
  const { untouched, untested, tested, tried, restored, whole, testedLate } = commits
  const judge = (phase: 'tdd' | 'develop', [before, commit]: [string, string], red: TestVerdict['red'] = []) =>
    told(() =>
      measureTaskTests(
        {
          run_id: 'bench',
          repository: mirror.repository,
          phase,
          commit,
          before,
          origin: untested,
          config: untouched,
          of_task: phase === 'develop',
          red,
          allow_unsandboxed: true,
        },
        { ...boxOf(git), git, store: memoryStore() },
      ),
    )
  const red = await judge('tdd', [untested, tested])
  const names = 'trouble' in red ? [] : red.red
  return {
    red,
    tried: await judge('develop', [tested, tried], names),
    green: await judge('develop', [tested, restored], names),
    late: await judge('tdd', [whole, testedLate]),
  }
}

/** What goes wrong with one package is a line of the table, never the end of it. */
async function told<T>(measure: () => Promise<T>): Promise<Told<T>> {
  try {
    return await measure()
  } catch (error) {
    if (error instanceof Error) return { trouble: error.message.split('\n', 1)[0] ?? '' }
    throw error
  }
}
