import type { Artifact } from '../../contracts/artifact.js'
import { RelativePath } from '../../contracts/artifact.js'
import type { CommitId, FileChange } from '../../contracts/git.js'
import type { MeasureTestsOrder, TestVerdict } from '../../contracts/phase-quality.js'
import { judgeGreen, judgeRed, needsBefore, type TestFacts } from '../../rules/phase/judge-tests.js'
import { isTestFile } from '../../rules/phase/test-files.js'
import { together } from '../../rules/together.js'
import { type MeasuredRun, measureCommitTests } from '../gates/measure-commit-tests.js'
import { ensureCommit, type Mirror, openMirror } from '../git/mirror.js'
import { changedFiles } from '../git/read-diff.js'
import { checkSandbox, type PhaseBox } from './phase-box.js'

/** Runs the project's own tests at a commit, and says whether they are RED or GREEN (seed 001, 5.5 and 5.6). */
export async function measureTaskTests(order: MeasureTestsOrder, box: PhaseBox): Promise<TestVerdict> {
  checkSandbox(box, order)
  const mirror = await openMirror(box.git, order.repository)
  await ensureCommit(mirror, order.commit)
  const [{ changes, misfits }, measured] = await together(
    changedFiles(mirror, order.before, order.commit),
    measureAt(order, box, { mirror, commit: order.commit }),
  )
  const changed = changes.map(({ path }) => path)
  const seen = factsOf(measured)
  const before = await casesBefore(order, box, { mirror, seen, changes })
  const facts: TestFacts = { ...seen, before, changed, red: order.red }
  const judged = order.phase === 'tdd' ? judgeRed(facts) : judgeGreen(facts, { ofTask: order.of_task, trespasses: [] })
  return {
    outcome: judged.outcome,
    sentence: judged.sentence.slice(0, 2_000),
    failing: judged.failing,
    red: judged.red,
    test_files: changed.filter((path) => isTestFile(path) && RelativePath.safeParse(path).success).slice(0, 500),
    changes: changes.slice(0, 50),
    changed_files: changes.length + misfits.length,
    report: await putReport(order, box, measured),
    is_sandboxed: box.isSandboxed,
  }
}

interface At {
  mirror: Mirror
  commit: CommitId
}

function measureAt(order: MeasureTestsOrder, box: PhaseBox, { mirror, commit }: At): Promise<MeasuredRun> {
  return measureCommitTests({ ...box, mirror, commit, base: order.config, files: null })
}

interface Seen {
  mirror: Mirror
  seen: Pick<TestFacts, 'outcome' | 'cases'>
  changes: readonly FileChange[]
}

/** Of where the attempt began, at GREEN of where its task began: null where they would tell nothing, since they cost another run. */
async function casesBefore(
  order: MeasureTestsOrder,
  box: PhaseBox,
  { mirror, seen, changes }: Seen,
): Promise<TestFacts['before']> {
  const { phase, red } = order
  const edited = changes.filter(({ action }) => action !== 'create').map(({ path }) => path)
  if (!needsBefore({ ...seen, red }, { phase, edited })) return null
  return (await measureAt(order, box, { mirror, commit: phase === 'tdd' ? order.before : order.origin })).cases
}

/** A run without an outcome measured nothing. */
function factsOf({ outcome, details, cases }: MeasuredRun): Pick<TestFacts, 'outcome' | 'details' | 'cases'> {
  return { outcome: outcome ?? 'unmeasured', details, cases }
}

/** For the next prompt: what failed, and the last lines of what the tests printed. */
async function putReport(
  { phase, commit }: MeasureTestsOrder,
  { store }: PhaseBox,
  run: MeasuredRun,
): Promise<Artifact> {
  const failed = run.cases.filter(({ status }) => status === 'failed').slice(0, MAX_CASES)
  const lines = failed.map(
    ({ name, file, kind, message }) => `- ${name} (${file ?? 'no file'}, ${kind}): ${message.slice(0, 500)}`,
  )
  const parts = [`${run.details} (${(run.command ?? []).join(' ')})`, ...run.notes, ...lines, '', run.tail]
  return await store.put(`tests/${phase}-${commit.slice(0, 12)}.txt`, `${parts.join('\n')}\n`, 'text/plain')
}

const MAX_CASES = 50
