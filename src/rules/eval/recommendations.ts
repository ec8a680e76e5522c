import type { Conclusion } from './conclusion.js'
import { gatesOf } from './gates.js'
import type { EvalProgress } from './progress.js'
import type { EVAL_VERDICTS } from './words.js'

interface Told {
  names: readonly string[]
  verdict: (typeof EVAL_VERDICTS)[number]
  conclusion: Conclusion
}

/** One or two sentences. */
export function summaryOf(progress: EvalProgress, { names, verdict, conclusion }: Told): string {
  const { winner, runnerUp, agreement, confidence, path, leaders } = conclusion
  const nameOf = (candidate: number) => names[candidate] ?? ''
  if (verdict === 'no_quorum') return 'too few judges answered'
  if (verdict === 'stopped') return 'a person stopped the evaluation'
  if (winner === null || agreement === null) return `no recommendation: a tie of ${leaders.map(nameOf).join(', ')}`
  const level = confidence?.level ?? 'none'
  if (verdict === 'no_consensus')
    return `no recommendation: ${nameOf(winner)} leads, but with ${agreement.level} consensus, confidence ${level}`
  const judges = `${agreement.judges} of ${progress.seats.length} judges put nobody above it`
  const second = runnerUp === null ? '' : `; ${nameOf(runnerUp)} is second`
  return `${nameOf(winner)} by path ${path}, confidence ${level}: ${judges}${second}`
}

/** The consensus builder's advice: at least three lines. */
export function recommendationsOf(progress: EvalProgress, told: Told): string[] {
  const { names, verdict, conclusion } = told
  const { winner, runnerUp } = conclusion
  const nameOf = (candidate: number | null) => names[candidate ?? -1] ?? ''
  const mend = (progress.defects[winner ?? -1] ?? []).slice(0, 3)
  const gates = gatesOf(progress, conclusion).filter(({ is_passed }) => !is_passed)
  const lines = [
    verdict === 'recommended' ? `take ${nameOf(winner)}` : 'do not decide on this evaluation alone',
    ...mend.map((defect) => `mend in ${nameOf(winner)}: ${defect}`),
    ...gates.map(({ round, asks, found }) => `round ${round} did not reach its gate (${asks}; found: ${found})`),
    ...progress.losses.map(({ judge, why }) => `find out why ${judge} gave no answer: ${why}`),
    ...progress.position.flatMap((bias, seat) =>
      (bias?.prefers ?? null) === null
        ? []
        : [`do not rely on ${progress.seats[seat]?.name ?? ''}: it prefers the ${bias?.prefers ?? ''}`],
    ),
    ...progress.hidden.map(({ candidate }) => `read ${nameOf(candidate)} before using it: it speaks to its judges`),
  ]
  const more = [
    runnerUp === null ? 'compare with a further candidate' : `keep ${nameOf(runnerUp)} at hand as the second`,
    progress.seats.length < 3 ? 'ask at least three judges' : 'read the dissent before acting',
    'ask again when the candidates change',
  ]
  return [...lines, ...more].slice(0, Math.max(3, Math.min(12, lines.length + 1)))
}
