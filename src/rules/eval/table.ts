import type { EvalResult } from '../../contracts/eval-result.js'
import { fitWidth, plainLine } from '../cli-progress.js'
import { textColumns } from '../votes-columns.js'

/** An evaluation for a terminal: the rounds, the ranking, who is out and why, gates, figures, losses and the dissent in full. */
export function evalTable(result: EvalResult): string {
  const parts = [
    [plainLine(result.final_recommendation.summary)],
    section('Round 1: votes', voteLines(result)),
    section('Round 2: defects', defectLines(result)),
    section('Ranking', rankLines(result)),
    section(
      'Out',
      result.out.map(({ candidate, round, why }) => `${plainLine(candidate)} (round ${round}): ${plainLine(why)}`),
    ),
    section('Round 3: attacks', attackLines(result)),
    section('Round 4: reviews', reviewLines(result)),
    section('Gates', gateLines(result)),
    section('Agreement', [agreementLine(result)]),
    section('Judges', judgeLines(result)),
    section(
      'Lost',
      result.losses.map(({ round, judge, why }) => `${judge} (round ${round}): ${plainLine(why)}`),
    ),
    section(
      'Speaks to its judges',
      result.hidden_instructions.flatMap(({ candidate, lines }) =>
        lines.map((line) => `${plainLine(candidate)}: ${plainLine(line)}`),
      ),
    ),
    section('Dissent', wordLines(result.dissent)),
    section('Advice', result.final_recommendation.recommendations.map(plainLine)),
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
}

function voteLines({ rounds: { round1 } }: EvalResult): string[] {
  const out = new Set(round1.eliminated)
  const rows = round1.votes.map(({ candidate, raw_votes, weighted_votes, voters }) => [
    inColumn(candidate),
    String(raw_votes),
    figure(weighted_votes),
    out.has(candidate) ? 'out' : 'stays',
    voters.join(', '),
  ])
  return textColumns([['CANDIDATE', 'VOTES', 'WEIGHT', 'RESULT', 'BY'], ...rows])
}

function defectLines({ rounds: { round2 } }: EvalResult): string[] {
  if (round2 === null || round2.defects.length === 0) return []
  const rows = round2.defects.map(({ candidate, critical, major, minor, angles }) => [
    inColumn(candidate),
    ...[critical, major, minor, angles].map(String),
    round2.disputed.includes(candidate) ? 'disputed' : '',
  ])
  return textColumns([['CANDIDATE', 'CRITICAL', 'MAJOR', 'MINOR', 'ANGLES', ''], ...rows])
}

function rankLines({ ranking }: EvalResult): string[] {
  const rows = ranking.map(({ rank, candidate, composite_score, schulze_rank, borda, rank_variance }) => {
    const isTied = ranking.filter((other) => other.rank === rank).length > 1
    return [
      isTied ? `${rank} (tie)` : String(rank),
      inColumn(candidate),
      figure(composite_score),
      String(schulze_rank),
      figure(borda),
      figure(rank_variance),
    ]
  })
  return textColumns([['RANK', 'CANDIDATE', 'SCORE', 'SCHULZE', 'BORDA', 'VARIANCE'], ...rows])
}

function attackLines({ rounds: { round3 } }: EvalResult): string[] {
  return (round3?.attack_results ?? []).map(
    ({ candidate, judge, recommendation, reason }) =>
      `${plainLine(candidate)} by ${judge}: ${recommendation}: ${plainLine(reason)}`,
  )
}

function reviewLines({ rounds: { round4 } }: EvalResult): string[] {
  if (round4 === null) return []
  const back = round4.resurrected.map((candidate) => `${plainLine(candidate)} is back`)
  const reviews = round4.reviews.map(
    ({ candidate, judge, verdict, reason }) => `${plainLine(candidate)} by ${judge}: ${verdict}: ${plainLine(reason)}`,
  )
  return [...back, ...reviews]
}

function gateLines({ gates }: EvalResult): string[] {
  const rows = gates.map(({ round, asks, found, is_passed }) => [
    `round ${round}`,
    is_passed ? 'passed' : 'not passed',
    found,
    asks,
  ])
  return textColumns([['GATE', 'IS', 'FOUND', 'ASKS'], ...rows])
}

function agreementLine({ statistics }: EvalResult): string {
  const { agreement, fleiss_kappa, kendall_w, kendall_tau } = statistics
  const rounds = agreement.map(
    ({ round, ratio, level }) => `round ${round} ${Math.floor(ratio * 100 + 1e-6)} % (${level})`,
  )
  return [...rounds, `kappa ${figure(fleiss_kappa)}`, `W ${figure(kendall_w)}`, `tau ${figure(kendall_tau)}`].join('; ')
}

function judgeLines({ judges }: EvalResult): string[] {
  const rows = judges.map(({ judge, is, position_bias, length_bias, follows, invented }) => [
    judge,
    is,
    position_bias === null
      ? '-'
      : `${figure(position_bias.tau)}${position_bias.prefers === null ? '' : ` (${position_bias.prefers})`}`,
    `${figure(length_bias.tau)}${length_bias.prefers === null ? '' : ` (${length_bias.prefers})`}`,
    String(invented),
    follows.length === 0 ? '-' : follows.map(plainLine).join(', '),
  ])
  return textColumns([['JUDGE', 'IS', 'POSITION', 'LENGTH', 'INVENTED', 'FOLLOWS'], ...rows])
}

function wordLines(words: EvalResult['words']): string[] {
  return words.map(({ round, judge, says, reason, confidence }) => {
    const sure = confidence === null ? '' : ` (${confidence})`
    return `round ${round}, ${judge} ${plainLine(says)}${sure}${reason === '' ? '' : `: ${plainLine(reason)}`}`
  })
}

/** A name may be a hundred letters long. */
function inColumn(name: string): string {
  return fitWidth(plainLine(name), 40)
}

/** Two decimals, or a dash for what is not defined. */
function figure(value: number | null): string {
  return value === null ? '-' : String(Math.round(value * 100) / 100)
}
