import { createHash } from 'node:crypto'
import { lstat, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Dimension, DimensionResult } from '../../contracts/aggregate.js'
import { type Artifact, RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import type { CriticalSighting, JudgeOrder, RoundJudgement } from '../../contracts/refine.js'
import type { CodeOf } from '../../rules/refine/check-issues.js'
import { type JudgedReviews, judgeReviews } from '../../rules/refine/judge-reviews.js'
import { addWorktree } from '../git/add-worktree.js'
import { openMirror } from '../git/mirror.js'
import { readInside } from '../worktree-tools/text-inside.js'
import type { RefineBox } from './refine-box.js'

/** The verdict on a round, from the three whole answers and the code they are about; feedback and result become artifacts. */
export async function judgeRound(order: JudgeOrder, box: RefineBox): Promise<RoundJudgement> {
  const reviews = {
    security: await readReview(order, box, 'security'),
    quality: await readReview(order, box, 'quality'),
    performance: await readReview(order, box, 'performance'),
  }
  const code = await readCode(order, box, Object.values(reviews))
  const codeOf: CodeOf = (path) => code.get(path) ?? 'absent'
  const judged = judgeReviews({ order, reviews, codeOf })
  return { ...(await storeRound(order, box, judged)), ...extractOf(judged, codeOf) }
}

async function readReview(
  { reviews }: JudgeOrder,
  { store }: RefineBox,
  dimension: Dimension,
): Promise<DimensionResult> {
  const artifact = reviews[dimension]
  if (artifact === undefined) throw new Failure('Contract.Violated', `reviews: expected one of ${dimension}, got none`)
  return parseJson(DimensionResult, (await store.get(artifact)).toString('utf8'), `${dimension} review`)
}

/** The files that issues name, as they are in the round's commit. */
async function readCode(
  { repository, commit }: JudgeOrder,
  { git, scratch }: RefineBox,
  reviews: readonly DimensionResult[],
): Promise<Map<string, ReturnType<CodeOf>>> {
  const named = reviews.flatMap(({ issues }) => issues.map(({ file }) => file.replace(/^(?:\.\/)+/, '')))
  const code = new Map<string, ReturnType<CodeOf>>()
  if (named.length === 0) return code
  const into = join(scratch, 'code')
  await mkdir(into)
  const { folder } = await addWorktree({ mirror: await openMirror(git, repository), commit, into })
  for (const path of new Set(named)) code.set(path, await fileAt(folder, path))
  return code
}

/** Whatever a reviewer names: what is outside counts as not there. */
async function fileAt(folder: string, path: string): Promise<ReturnType<CodeOf>> {
  if (!RelativePath.safeParse(path).success) return 'absent'
  const stats = await lstat(join(folder, path)).catch(() => null)
  if (stats === null || !stats.isFile()) return 'absent'
  try {
    return { text: await readInside(folder, path) }
  } catch (error) {
    if (error instanceof Failure) return 'unread'
    throw error
  }
}

async function storeRound({ round }: JudgeOrder, { store }: RefineBox, judged: JudgedReviews) {
  const { result, scores, overall, inconsistencies, refuted } = judged
  const whole = { ...result, exact: { scores, overall }, inconsistent_reviews: inconsistencies, refuted }
  const put = (name: string, text: string, type: string): Promise<Artifact> =>
    store.put(`rounds/${round}/${name}`, text, type)
  return {
    aggregate: await put('aggregate.json', `${JSON.stringify(whole, null, 2)}\n`, 'application/json'),
    feedback: await put('feedback.md', `${result.feedback_for_code_writer}\n`, 'text/markdown'),
  }
}

function extractOf({ result, scores, overall, inconsistencies, refuted }: JudgedReviews, codeOf: CodeOf) {
  return {
    scores,
    overall,
    recommendation: result.recommendation,
    issue_counts: result.issue_counts,
    reason: result.reason.slice(0, 1_000),
    next_action: result.next_action.slice(0, 1_000),
    criticals: result.critical_issues.slice(0, 30).map((issue) => sightingOf(issue, codeOf)),
    inconsistencies: inconsistencies.slice(0, 12).map((line) => line.slice(0, 300)),
    refuted: refuted.length,
  }
}

function sightingOf(
  { type, file, line = null }: { type: string; file: string; line?: number | null | undefined },
  codeOf: CodeOf,
): CriticalSighting {
  const code = codeOf(file)
  const text = line === null || typeof code === 'string' ? undefined : code.text.split('\n')[line - 1]
  const plain = text?.replaceAll(/\s+/g, '') ?? ''
  const digest = plain === '' ? null : createHash('sha256').update(plain).digest('hex').slice(0, 16)
  return { type: type.slice(0, 80), file: file.slice(0, 300), line, digest }
}
