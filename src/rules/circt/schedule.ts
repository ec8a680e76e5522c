import type { ValidationClass } from '../../contracts/circt.js'

/** The six steps of seed 002, in the order a single worker would take them. */
export const CIRCT_STEPS = [
  'reproduce',
  'root_cause_analysis',
  'minimize',
  'validate',
  'check_duplicates',
  'generate_issue',
] as const
export type CirctStep = (typeof CIRCT_STEPS)[number]

export type CirctSchedule = 'eager' | 'phased' | 'serial'

/** What is known of each step; absent = not started. `canceled` = stopped because its result could no longer matter. */
export interface CirctFacts {
  reproduce?: 'running' | 'yes' | 'no' | 'inconclusive' | 'failed'
  root_cause_analysis?: 'running' | 'done' | 'failed'
  minimize?: 'running' | 'done' | 'failed' | 'canceled'
  validate?: 'running' | ValidationClass | 'failed' | 'canceled'
  /** `duplicate` = review_existing at 10.0 or more: a person (or the default) has the last word. */
  check_duplicates?: 'running' | 'new' | 'duplicate' | 'failed' | 'canceled'
  /** The person's word on a probable duplicate. */
  confirmation?: 'duplicate' | 'report'
  generate_issue?: 'running' | 'done' | 'failed'
}

export type CirctVerdict = 'reproduce_failed' | 'not_a_bug' | 'duplicate' | 'report_ready' | 'error'

export interface CirctDecision {
  start: CirctStep[]
  cancel: CirctStep[]
  /** True when the run waits for a person's word on a probable duplicate. */
  asks: boolean
  /** Null until the run is over. */
  end: { verdict: CirctVerdict; because: CirctStep } | null
}

/**
 * Says what to do next, from nothing but what is known: the flow chart, branches and failure table of seed 002.
 * All schedules share `conclude` and `mayMatter`, which is why they end alike; they differ only in when a step starts.
 */
export function decideCirct(schedule: CirctSchedule, facts: CirctFacts): CirctDecision {
  const running = CIRCT_STEPS.filter((step) => facts[step] === 'running')
  const cancel = running.filter((step) => !mayMatter(step, facts))
  const end = conclude(facts)
  if (end !== null) return { start: [], cancel, asks: false, end: running.length === 0 ? end : null }
  const ready = CIRCT_STEPS.filter(
    (step) => facts[step] === undefined && mayMatter(step, facts) && STARTS[schedule](step, facts),
  )
  const start = schedule === 'serial' ? ready.slice(0, running.length === 0 ? 1 : 0) : ready
  return { start, cancel, asks: needsConfirmation(facts), end: null }
}

/** The phase of `status.json`: the earliest one that is not finished. */
export function phaseOf(facts: CirctFacts): 'phase1_parallel' | 'phase2_parallel' | 'phase3_final' {
  if (!isPhaseOneOver(facts)) return 'phase1_parallel'
  return isPhaseTwoOver(facts) && !needsConfirmation(facts) ? 'phase3_final' : 'phase2_parallel'
}

/** False when the phased schedule, knowing these facts, would never start the step: its result is then discarded. */
export function mayMatter(step: CirctStep, facts: CirctFacts): boolean {
  if (step === 'reproduce' || step === 'root_cause_analysis') return true
  if (isSettled(facts.reproduce) && facts.reproduce !== 'yes') return false
  return facts.minimize !== 'failed' || (step !== 'validate' && step !== 'generate_issue')
}

/** When a step's turn comes, provided it may still matter. */
const STARTS: Record<CirctSchedule, (step: CirctStep, facts: CirctFacts) => boolean> = {
  eager: (step, facts) =>
    ({
      reproduce: true,
      root_cause_analysis: true,
      minimize: true,
      validate: facts.minimize === 'done',
      check_duplicates: isSettled(facts.root_cause_analysis),
      generate_issue: isCleared(facts),
    })[step],
  phased: startsPhased,
  serial: startsPhased,
}

function startsPhased(step: CirctStep, facts: CirctFacts): boolean {
  const isPhaseTwo = isPhaseOneOver(facts)
  return {
    reproduce: true,
    root_cause_analysis: true,
    minimize: isPhaseTwo,
    validate: isPhaseTwo && facts.minimize === 'done',
    check_duplicates: isPhaseTwo,
    generate_issue: isCleared(facts),
  }[step]
}

/** Null while anything that decides is open. */
function conclude(facts: CirctFacts): CirctDecision['end'] {
  return ENDS.find((row) => row.when(facts))?.end ?? null
}

type EndRow = { when: (facts: CirctFacts) => boolean; end: CirctDecision['end'] }

/** The branches of seed 002, first fit: phase 1, then minimize, then validation first and duplicates second (pipelines.md, circt 8). */
const ENDS: readonly EndRow[] = [
  { when: (facts) => !isPhaseOneOver(facts), end: null },
  { when: (facts) => facts.reproduce === 'no', end: { verdict: 'reproduce_failed', because: 'reproduce' } },
  { when: (facts) => facts.reproduce !== 'yes', end: { verdict: 'error', because: 'reproduce' } },
  { when: (facts) => !isPhaseTwoOver(facts), end: null },
  { when: (facts) => facts.minimize !== 'done', end: { verdict: 'error', because: 'minimize' } },
  { when: (facts) => facts.validate === 'not_a_bug', end: { verdict: 'not_a_bug', because: 'validate' } },
  { when: (facts) => facts.validate === 'invalid_testcase', end: { verdict: 'not_a_bug', because: 'validate' } },
  { when: (facts) => facts.validate === 'existing_issue', end: { verdict: 'duplicate', because: 'validate' } },
  { when: isConfirmedDuplicate, end: { verdict: 'duplicate', because: 'check_duplicates' } },
  { when: (facts) => facts.generate_issue === 'failed', end: { verdict: 'error', because: 'generate_issue' } },
  { when: (facts) => facts.generate_issue === 'done', end: { verdict: 'report_ready', because: 'generate_issue' } },
]

function isConfirmedDuplicate(facts: CirctFacts): boolean {
  return facts.check_duplicates === 'duplicate' && facts.confirmation === 'duplicate'
}

function isPhaseOneOver(facts: CirctFacts): boolean {
  return isSettled(facts.reproduce) && isSettled(facts.root_cause_analysis)
}

function isPhaseTwoOver(facts: CirctFacts): boolean {
  const isValidateOver = isSettled(facts.validate) || (isSettled(facts.minimize) && facts.minimize !== 'done')
  return isSettled(facts.minimize) && isValidateOver && isSettled(facts.check_duplicates)
}

/** True when both phases are over and nothing but the report is left. */
function isCleared(facts: CirctFacts): boolean {
  if (!isPhaseOneOver(facts) || !isPhaseTwoOver(facts) || needsConfirmation(facts)) return false
  return conclude({ ...facts, generate_issue: 'done' })?.verdict === 'report_ready'
}

function needsConfirmation(facts: CirctFacts): boolean {
  const isProbable = facts.check_duplicates === 'duplicate' && facts.confirmation === undefined
  if (!isProbable || !isPhaseOneOver(facts) || !isPhaseTwoOver(facts)) return false
  return conclude({ ...facts, confirmation: 'duplicate' })?.because === 'check_duplicates'
}

function isSettled(fact: string | undefined): boolean {
  return fact !== undefined && fact !== 'running'
}
