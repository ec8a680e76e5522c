import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, renameSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ReviewContentFile } from '../../src/contracts/review-content.js'
import { ReviewReport } from '../../src/contracts/review-report.js'
import { ReviewResult } from '../../src/contracts/review-run.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { type Ended, type Place, until } from './e2e-cli.js'
import type { Deed, Question } from './e2e-desk.js'
import { openWitness, type Witness } from './e2e-history.js'

export const EXAMPLE = fileURLToPath(new URL('../../examples/review', import.meta.url))

export interface ShownReview {
  document: ResultDocument
  result: ReviewResult
  report: ReviewReport
}

/** What `--json` printed. */
export function reviewOf({ stdout, stderr }: Ended): ShownReview {
  if (stdout === '') throw new Error(`nothing was printed: ${stderr}`)
  const document = ResultDocument.parse(JSON.parse(stdout))
  const { review } = document.result as { review: unknown }
  return { document, result: ReviewResult.parse(document.result), report: ReviewReport.parse(review) }
}

/** A reviewer of `a.js` that tells one truth twice and one lie, and a verifier that believes what is left. */
export function answerAboutEval({ role, input }: Question): Deed {
  if (role === 'code-verifier') {
    const { issues } = input as { issues: number }
    const accuracy_check = Array.from({ length: issues }, (_, at) => ({
      issue_id: `ISSUE-00${at + 1}`,
      accuracy_status: 'CORRECT',
      evidence: 'line 2',
      deletion_required: false,
    }))
    const quality_assessment = { overall_score: 80, quality_level: 'GOOD' }
    return { answer: { task_id: 't', verification_result: { accuracy_check, quality_assessment } } }
  }
  const issue = {
    relevantFile: 'a.js',
    existingCode: 'eval(a)',
    suggestionContent: 'eval runs text. Parse it.',
    improvedCode: 'JSON.parse(a)',
    label: 'Security',
    suggestionLine: 2,
    severity: 'High',
  }
  return { answer: { task_id: 't', issues: [issue, issue, { ...issue, existingCode: 'invented(a)' }] } }
}

export const EVAL_PATCH = '--- a/a.js\n+++ b/a.js\n@@ -1 +1,2 @@\n one()\n+eval(a)\n'

/** The content file as it stands, or null while it is none of that task. */
export function contentIn(folder: string, taskId: string): ReviewContentFile | null {
  try {
    const file = ReviewContentFile.parse(JSON.parse(readFileSync(join(folder, `${taskId}_content.json`), 'utf8')))
    return file.task_id === taskId ? file : null
  } catch {
    // Whatever is wrong with it: it is waited for.
    return null
  }
}

/** Waits until an attempt of this activity has begun. */
export async function underWay(place: Place, workflowId: string, activity: string): Promise<void> {
  await witnessed(place, workflowId, (witness) =>
    until(`${activity} of ${workflowId}`, async () =>
      (await witness.pending()).some(({ name, isStarted }) => name === activity && isStarted),
    ),
  )
}

async function witnessed<T>(place: Place, workflowId: string, look: (witness: Witness) => Promise<T>): Promise<T> {
  const witness = await openWitness(place.home, workflowId)
  try {
    return await look(witness)
  } finally {
    await witness.close()
  }
}

/** A document of the store that nobody gets to the end of, so that whoever reads it can be killed in the middle of it. */
export interface HeldDocument {
  /** As it was, for the next reader. */
  restore(): void
  /** The same, and who waits for it has it too. */
  release(): Promise<void>
}

export function holdDocument({ home }: Place, sha256: string): HeldDocument {
  const path = join(home, 'store', 'sha256', sha256.slice(0, 2), sha256)
  const content = readFileSync(path)
  const pipe = `${path}.${randomUUID()}`
  const aside = `${pipe}.aside`
  execFileSync('mkfifo', [pipe])
  renameSync(path, aside)
  renameSync(pipe, path)
  const restore = () => {
    renameSync(path, pipe)
    renameSync(aside, path)
  }
  return {
    restore,
    release: async () => {
      restore()
      await writeFile(pipe, content)
    },
  }
}

/** The sha256 of every JSON document of the store that is such. */
export function documentsIn({ home }: Place, isMeant: (document: Record<string, unknown>) => boolean): string[] {
  const folder = join(home, 'store', 'sha256')
  const names = readdirSync(folder).flatMap((two) => readdirSync(join(folder, two)).map((name) => join(two, name)))
  const found = names.filter((name) => {
    const text = /[0-9a-f]{64}$/.test(name) ? readFileSync(join(folder, name), 'utf8') : ''
    const document = documentOf(text)
    return typeof document === 'object' && document !== null && isMeant({ ...document })
  })
  return found.map((name) => basename(name))
}

/** Transcripts are one document a line. */
function documentOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
