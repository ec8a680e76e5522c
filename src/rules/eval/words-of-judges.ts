import type { JudgeWord } from '../../contracts/eval-result.js'
import type { Conclusion } from './conclusion.js'
import { type EvalProgress, scoreRows } from './progress.js'

/** What every judge said in every round, in order. */
export function wordsOf(progress: EvalProgress, names: readonly string[]): JudgeWord[] {
  const of = (candidate: number) => JSON.stringify(names[candidate] ?? '')
  const { attacks, resurrections, reviews } = progress
  return [
    ...voteWords(progress, of),
    ...attacks.map(({ judge, candidate, recommendation, criticals, reason, confidence }) => {
      const says = `${recommendation.replace('_', ' ')}: ${of(candidate)}, ${criticals} Critical`
      return { round: 3, judge, says, reason, confidence }
    }),
    ...resurrections.flatMap(({ candidate, answers }) =>
      answers.map(({ judge, decision, reason, confidence }) => {
        return { round: 4, judge, says: `${decision.replaceAll('_', ' ')}: ${of(candidate)}`, reason, confidence }
      }),
    ),
    ...reviews.map(({ judge, candidate, verdict, reason }) => {
      return { round: 4, judge, says: `${verdict.replace('_', ' ')}: ${of(candidate)}`, reason, confidence: null }
    }),
  ]
}

function voteWords({ seats, votes }: EvalProgress, of: (candidate: number) => string): JudgeWord[] {
  return seats.map(({ name: judge }, seat) => {
    const ballot = votes.at(-1)?.ballots[seat] ?? null
    if (ballot === null) return { round: 1, judge, says: 'gave no answer', reason: '', confidence: null }
    const { eliminated, reason, confidence } = ballot
    const says = eliminated === null ? 'abstains' : `against ${of(eliminated)}`
    return { round: 1, judge, says, reason, confidence }
  })
}

interface Told {
  names: readonly string[]
  words: readonly JudgeWord[]
  conclusion: Conclusion
}

/** Words that went against what came out: votes for another, a winner put below somebody, an attack that did not carry, … */
export function dissentOf(progress: EvalProgress, { names, words, conclusion }: Told): JudgeWord[] {
  const { winner, synthesis } = conclusion
  const gone = new Set(progress.out.map(({ candidate }) => `against ${JSON.stringify(names[candidate] ?? '')}`))
  const otherVotes = words.filter(({ round, says }) => round === 1 && says.startsWith('against ') && !gone.has(says))
  const others = winner === null ? [] : otherChoices(progress, { names, winner, candidates: synthesis.candidates })
  const own = winner === null ? '' : `: ${JSON.stringify(names[winner] ?? '')}`
  const unheard = words.filter(
    ({ round, says }) => round > 1 && own !== '' && says.includes(own) && /^(?:eliminate|disqualified)/.test(says),
  )
  return [...otherVotes, ...others, ...unheard]
}

/** Judges that put somebody above the winner. */
function otherChoices(
  progress: EvalProgress,
  { names, winner, candidates }: { names: readonly string[]; winner: number; candidates: readonly number[] },
): JudgeWord[] {
  return scoreRows(progress).flatMap((row, seat): JudgeWord[] => {
    const own = row?.[winner] ?? null
    if (row === null || own === null) return []
    const above = candidates.filter((candidate) => (row[candidate] ?? -Infinity) > own)
    if (above.length === 0) return []
    const listed = above
      .map((candidate) => `${JSON.stringify(names[candidate] ?? '')} ${show(row[candidate])}`)
      .join(', ')
    return [
      {
        round: progress.facts.analysis === null ? 1 : 2,
        judge: progress.seats[seat]?.name ?? '',
        says: `prefers ${listed} to ${JSON.stringify(names[winner] ?? '')} ${show(own)}`,
        reason: reasonOf(progress, seat, winner),
        confidence: null,
      },
    ]
  })
}

function reasonOf({ measured, votes }: EvalProgress, seat: number, winner: number): string {
  return measured[seat]?.[winner]?.reasons[0] ?? votes.at(-1)?.ballots[seat]?.reason ?? ''
}

function show(score: number | null | undefined): string {
  return String(Math.round((score ?? 0) * 100) / 100)
}
