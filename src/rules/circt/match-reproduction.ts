import type { ReproduceResult } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { compareSignatures } from './match-signatures.js'

export interface Reproduction extends Pick<ReproduceResult, 'reproduced' | 'match_result' | 'reproduced_runs'> {
  /** Of the run that stands for all: the best match, else the first. Null without any run. */
  signature: CrashSignature | null
  /** Index of that run. */
  run: number
}

/**
 * What several runs of one case say about the outcome its error text reports (seed 002, pipelines.md circt 2). `reference` null: the text is empty
 * or tells nothing, and the first run that does not end cleanly is the reference. Among different ends the best match decides, n of m.
 * - true: the reported outcome, or another failure of the compiler (`different_crash`), was seen at least once.
 * - inconclusive: nothing was seen but a time limit, and the text reports no hang.
 * - false: every run ended cleanly, or with a plain diagnostic where the text reports a crash.
 */
export function judgeReproduction(reference: CrashSignature | null, seen: readonly CrashSignature[]): Reproduction {
  const expected = reference ?? seen.find((signature) => signature.kind !== 'none') ?? null
  const ends = seen.map((signature) => (expected === null ? 'no_crash' : endOf(expected, signature)))
  const best = BEST_FIRST.find((end) => ends.includes(end)) ?? 'inconclusive'
  const run = Math.max(0, ends.indexOf(best))
  const isSeen = best !== 'no_crash' && best !== 'inconclusive'
  return {
    reproduced: isSeen ? true : best === 'no_crash' ? false : 'inconclusive',
    match_result: best === 'inconclusive' ? 'no_crash' : best,
    reproduced_runs: isSeen ? ends.filter((end) => GROUP_OF[end] === GROUP_OF[best]).length : 0,
    signature: seen[run] ?? null,
    run,
  }
}

type End = ReproduceResult['match_result'] | 'inconclusive'

const BEST_FIRST = [
  'exact_match',
  'partial_match',
  'no_assertion',
  'different_crash',
  'inconclusive',
  'no_crash',
] as const satisfies readonly End[]

/** Ends that count as the same bug for n of m: a build may show it with more or with fewer words. */
const GROUP_OF = {
  exact_match: 'reported',
  partial_match: 'reported',
  no_assertion: 'reported',
  different_crash: 'different',
  inconclusive: 'unknown',
  no_crash: 'clean',
} satisfies Record<End, string>

function endOf(reference: CrashSignature, seen: CrashSignature): End {
  if (seen.kind === 'none') return 'no_crash'
  const match = compareSignatures(reference, seen)
  if (match === 'same') return 'exact_match'
  if (match === 'similar') return isAssertionWithoutText(reference, seen) ? 'no_assertion' : 'partial_match'
  if (seen.kind === 'hang') return 'inconclusive'
  if (isUsageError(seen)) return 'no_crash'
  return seen.kind === 'diagnostic' && reference.kind !== 'diagnostic' ? 'no_crash' : 'different_crash'
}

/** A build without assertions dies later, of the same cause; only a frame in common could tell more. */
function isAssertionWithoutText(reference: CrashSignature, seen: CrashSignature): boolean {
  const isOtherKind = reference.kind === 'assertion' && seen.kind !== 'assertion'
  return isOtherKind && !reference.frames.some((frame) => seen.frames.includes(frame))
}

/** The command does not fit this version of the tool: that says nothing about the bug. */
function isUsageError(seen: CrashSignature): boolean {
  return /^(?:Unknown command line argument|for the --?[\w-]+ option|cannot open input file)/i.test(seen.message ?? '')
}
