import type { Vote, VoteInput, VoteResult } from '../contracts/votes.js'
import { plainLine } from './cli-progress.js'
import { textColumns } from './votes-columns.js'
import { countedVotes, showWeight } from './votes-names.js'

/** The result for a terminal: who is out, the counts, why, and every vote that was of another mind, in full. Several lines. */
export function voteTable(input: VoteInput, result: VoteResult): string {
  const out = new Set(result.aggregated_result.eliminated_candidates)
  const isFor = ({ elimination_decision: { eliminated } }: Vote) => eliminated !== null && out.has(eliminated)
  const others = input.votes.filter((vote) => !isFor(vote))
  const parts = [
    [...verdictLines(input, result), ...voteRemarks(result)],
    candidateLines(input, result),
    section('Why', voteLines(input, input.votes.filter(isFor))),
    section(out.size === 0 ? 'Votes' : 'Dissent', voteLines(input, others)),
    section('Conflicts', conflictLines(result)),
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** What a reader of the bare result might overlook, one line each. */
export function voteRemarks({ aggregated_result }: VoteResult): string[] {
  const { eliminated_candidates: out, survivors } = aggregated_result
  if (out.length === 0 || survivors.length > 0) return []
  return out.length > 1
    ? [`a tie: all ${out.length} candidates reach the threshold, nobody would be left; vote again or ask a person`]
    : ['no survivor is known: the input names no other candidate (`candidates` can)']
}

function verdictLines(input: VoteInput, { aggregated_result, consensus_analysis }: VoteResult): string[] {
  const { agreement_ratio, consensus_level } = consensus_analysis
  const bar = `the threshold of ${input.elimination_threshold}${input.require_unanimous ? ' with every vote' : ''}`
  const names = aggregated_result.eliminated_candidates.map(plainLine).join(', ')
  // Never rounded up to a level it is not.
  const percent = showWeight(Math.floor(agreement_ratio * 1000 + 1e-6) / 10)
  return [
    names === '' ? `nobody is eliminated: no candidate reached ${bar}` : `eliminated: ${names} (reached ${bar})`,
    `consensus: ${consensus_level} (${percent} % of ${countedVotes(input.votes.length)})`,
  ]
}

function candidateLines(input: VoteInput, { aggregated_result, vote_distribution }: VoteResult): string[] {
  const out = new Set(aggregated_result.eliminated_candidates)
  const rows = Object.entries(vote_distribution).map(([name, { raw_votes, weighted_votes }]) => [
    plainLine(name),
    String(raw_votes),
    showWeight(weighted_votes),
    out.has(name) ? 'eliminated' : 'survives',
  ])
  const abstained = input.votes.filter((vote) => vote.elimination_decision.eliminated === null).length
  const last = abstained === 0 ? [] : [['(abstained)', String(abstained), '', '']]
  return textColumns([['CANDIDATE', 'VOTES', 'WEIGHT', 'RESULT'], ...rows, ...last])
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)]
}

function voteLines({ confidence_weights }: VoteInput, votes: readonly Vote[]): string[] {
  return votes.map(({ evaluator_id, elimination_decision: { eliminated, reason, confidence } }) => {
    const decision =
      eliminated === null
        ? 'abstained'
        : `against ${plainLine(eliminated)} (${confidence}, ${showWeight(confidence_weights[confidence])})`
    return `${plainLine(evaluator_id)} ${decision}: ${plainLine(reason ?? 'gave no reason')}`
  })
}

function conflictLines({ consensus_analysis }: VoteResult): string[] {
  return consensus_analysis.conflicts.map(
    ({ candidate, description }) => `${plainLine(candidate)}: ${plainLine(description)}`,
  )
}
