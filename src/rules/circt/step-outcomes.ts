import type { CirctOutcomes } from '../../contracts/circt.js'
import type { CirctFacts, CirctStep } from './schedule.js'

interface StepOutcome<S extends CirctStep> {
  /** The fact a finished step becomes for `decideCirct`. */
  fact: (value: NonNullable<CirctOutcomes[S]>) => NonNullable<CirctFacts[S]>
  /** One line for a person. */
  note: (value: NonNullable<CirctOutcomes[S]>) => string
}

/** Seed 002: the run ends at `review_existing` only with a score of at least this. */
export const DUPLICATE_SCORE = 10

/** How each step's answer is read: as a fact for the decision, and as a line for people. */
export const STEP_OUTCOMES: { [S in CirctStep]: StepOutcome<S> } = {
  reproduce: {
    fact: ({ reproduced }) => (reproduced === true ? 'yes' : reproduced === false ? 'no' : 'inconclusive'),
    note: (value) =>
      `${value.match_result}, ${value.reproduced_runs} of ${value.runs} runs${value.note && `: ${value.note}`}`,
  },
  root_cause_analysis: {
    fact: () => 'done',
    note: (value) =>
      `${value.degraded ? 'degraded: ' : ''}${value.crash_type} in ${value.failing_pass ?? 'an unknown pass'}${value.note && `: ${value.note}`}`,
  },
  minimize: {
    fact: () => 'done',
    note: (value) =>
      `${value.original_lines} to ${value.minimized_lines} lines (-${value.reduction_percent} % of the bytes), ${value.oracle_runs} runs of the tool`,
  },
  validate: {
    fact: ({ result }) => result,
    note: (value) => `${value.result} (${value.confidence}): ${value.reason}`,
  },
  check_duplicates: {
    fact: ({ action, top_score }) =>
      action === 'review_existing' && top_score >= DUPLICATE_SCORE ? 'duplicate' : 'new',
    note: ({ action, note, top_score: score, top_issue: top }) =>
      action === 'unknown'
        ? `unknown: ${note}`
        : `${action}, top score ${score}${top === null ? '' : ` (#${top.number})`}`,
  },
  generate_issue: {
    fact: () => 'done',
    note: (value) => value.title,
  },
}
