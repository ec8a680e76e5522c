import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestVerdict } from '../../src/contracts/phase-quality.js'
import type { ProcessLimits } from '../../src/contracts/process.js'
import type { QualityReport } from '../../src/contracts/quality.js'
import { qualityOf } from '../../src/rules/quality.js'
import { GATE_LIMITS } from '../../src/tools/gates/gate-box.js'
import { runGatesAtCommit } from '../../src/tools/gates/run-gates-at-commit.js'
import type { Git } from '../../src/tools/git/git.js'
import { type Mirror, openMirror } from '../../src/tools/git/mirror.js'
import { createRunRepository, runRepositoryFolder } from '../../src/tools/git/run-repository.js'
import { measureTaskTests } from '../../src/tools/phase/measure-task-tests.js'
import { hasSandbox, runner } from '../../test/support/git-repository.js'
import { memoryStore } from '../../test/support/memory-store.js'
import { fetchPackage } from './fetch-package.js'
import { type OwnReport, ownReport, prepareOwn } from './own-report.js'
import { historyOf, type PackageHistory } from './package-history.js'
import type { PublicPackage } from './public-package.js'

/** What could be measured, or why it could not. */
type Told<T> = T | { trouble: string }

export interface Judgement {
  entry: PublicPackage
  untouched: Measured
  broken: Measured
  /** Tests for the broken function, a try that leaves it broken, the function restored, tests for a function that works. */
  verdicts: Record<'red' | 'tried' | 'green' | 'late', Told<TestVerdict>>
  /** What each run of its tests, and each other command of a gate, might take. */
  limitSeconds: number
  /** For all of it. */
  seconds: number
}

interface Measured {
  own: Told<OwnReport>
  gates: Told<QualityReport>
}

export async function judgePackage(
  entry: PublicPackage,
  { git, work, seconds }: { git: Git; work: string; seconds: number },
): Promise<Judgement> {
  const began = performance.now()
  const name = entry.name.replaceAll(/\W/g, '-')
  const source = join(work, name)
  await mkdir(source)
  await fetchPackage(entry, { into: source, scratch: work })
  const own = join(work, `${name}-own`)
  await cp(source, own, { recursive: true })
  const commits = historyOf(entry, source)
  await prepareOwn(entry, own)
  const untouched = await told(() => ownReport(entry, own, GATE_LIMITS.timeMs))
  await breakIn(entry, own)
  const limits = limitsOf(untouched, seconds)
  const broken = await told(() => ownReport(entry, own, limits.timeMs))
  const place = { ...(await placeOf(git, name, source)), limits }
  const base = commits.untouched
  const gatesAt = (commit: string) =>
    told(() => runGatesAtCommit({ ...boxOf(place), mirror: place.mirror, commit, base, quality: ASKED, criteria: [] }))
  return {
    entry,
    untouched: { own: untouched, gates: await gatesAt(commits.untouched) },
    broken: { own: broken, gates: await gatesAt(commits.broken) },
    verdicts: await verdictsOf(place, commits),
    limitSeconds: limits.timeMs / 1000,
    seconds: (performance.now() - began) / 1000,
  }
}

/** What strict asks for, without a minimum of coverage: nobody here chose the tests. */
const ASKED = qualityOf(null, { level: 'strict', minCoverage: 0 })

/** A broken function may never come to an end: five times what the untouched suite took tells as much as the hours after it. */
function limitsOf(untouched: Told<OwnReport>, seconds: number): ProcessLimits {
  const usual = 'trouble' in untouched ? seconds : Math.max(seconds, Math.ceil(5 * untouched.seconds))
  return { ...GATE_LIMITS, timeMs: Math.min(GATE_LIMITS.timeMs, usual * 1000) }
}

async function breakIn({ edit }: PublicPackage, folder: string): Promise<void> {
  const { file, find, replace } = edit
  const text = await readFile(join(folder, file), 'utf8')
  await writeFile(
    join(folder, file),
    text.replace(find, () => replace),
  )
}

interface Place {
  git: Git
  mirror: Mirror
  limits: ProcessLimits
}

async function placeOf(git: Git, name: string, source: string): Promise<Omit<Place, 'limits'>> {
  const into = { url: runRepositoryFolder(git, name) }
  const { repository } = await createRunRepository({ git, source: { url: source }, base: 'HEAD', run: name, into })
  return { git, mirror: await openMirror(git, repository) }
}

function boxOf({ git, limits }: Place) {
  const signal = new AbortController().signal
  const scratchRoot = join(git.home, 'scratch')
  return { run: runner, isSandboxed: hasSandbox, env: process.env, signal, scratchRoot, limits }
}

/** As the phase pipeline asks: a tester's commit, then the coder's, each judged by what was there before. */
async function verdictsOf(place: Place, commits: PackageHistory): Promise<Judgement['verdicts']> {
  const { untouched, untested, tested, tried, restored, whole, testedLate } = commits
  const judge = (phase: 'tdd' | 'develop', [before, commit]: [string, string], red: TestVerdict['red'] = []) =>
    told(() =>
      measureTaskTests(
        {
          run_id: 'bench',
          repository: place.mirror.repository,
          phase,
          commit,
          before,
          origin: untested,
          config: untouched,
          of_task: phase === 'develop',
          red,
          allow_unsandboxed: true,
        },
        { ...boxOf(place), git: place.git, store: memoryStore() },
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
