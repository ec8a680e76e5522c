import type { AgentUsage, Allowance } from '../contracts/agent.js'
import type { Budget } from '../contracts/budget.js'

/** What a run has used up so far. */
export interface Spent {
  tokens: number
  /** US dollars. */
  cost: number
  rounds: number
  seconds: number
  /** Calls that did not tell their tokens, their cost. */
  untold: { tokens: number; cost: number }
}

/** What the calls under way may still use. */
export interface Reserved {
  calls: number
  tokens: number
  cost: number
}

/**
 * `go`: a call may start with this allowance, and at most `seconds` long. Otherwise which limit stands in the way, and whether calls
 * under way may leave something over.
 */
export type BudgetDecision =
  | { go: true; allowance: Allowance; seconds: number | null }
  | { go: false; kind: keyof Budget; reason: string; mayFree: boolean }

export interface BudgetQuestion {
  /** Totals that may not be passed: the budget, or after a fresh allowance what `grantAgain` made of it. */
  limits: Budget
  spent: Spent
  reserved: Reserved
  /** Calls that may be under way at once, the new one included: they share what is left. */
  parallel: number
  isNewRound: boolean
}

/**
 * Whether a call may start. All that is under way and the new call together can never pass a limit, as far as agents keep their
 * allowance; what is left is shared by the calls that may run at once. A call is not started for less than `LEAST`.
 */
export function decideBudget(question: BudgetQuestion): BudgetDecision {
  for (const kind of ['rounds', 'seconds', 'tokens', 'cost'] as const) {
    const obstacle = question.limits[kind] === null ? null : OBSTACLES[kind](question)
    if (obstacle !== null) return { go: false, kind, ...obstacle }
  }
  const { tokens, cost, seconds } = question.limits
  return {
    go: true,
    allowance: {
      tokens: tokens === null ? null : Math.floor(shareOf('tokens', question)),
      cost: cost === null ? null : shareOf('cost', question),
    },
    seconds: seconds === null ? null : seconds - question.spent.seconds,
  }
}

interface Obstacle {
  reason: string
  mayFree: boolean
}

const OBSTACLES: Record<keyof Budget, (question: BudgetQuestion) => Obstacle | null> = {
  rounds: (question) => {
    const isOver = question.isNewRound && question.spent.rounds >= (question.limits.rounds ?? Infinity)
    return isOver ? { reason: usedUp('rounds', question), mayFree: false } : null
  },
  seconds: (question) => {
    const left = (question.limits.seconds ?? Infinity) - question.spent.seconds
    return left < LEAST.seconds ? { reason: usedUp('seconds', question), mayFree: false } : null
  },
  tokens: (question) => obstacleOf('tokens', question),
  cost: (question) => obstacleOf('cost', question),
}

function obstacleOf(kind: 'tokens' | 'cost', question: BudgetQuestion): Obstacle | null {
  const { spent, reserved } = question
  if (spent.untold[kind] > 0) return { reason: untold(kind, spent.untold[kind]), mayFree: false }
  if (shareOf(kind, question) >= LEAST[kind]) return null
  return { reason: usedUp(kind, question), mayFree: reserved.calls > 0 }
}

/** Less than this is no call worth paying for. Seconds, tokens, US dollars. */
const LEAST = { tokens: 1_000, cost: 0.01, seconds: 5 } as const

function shareOf(kind: 'tokens' | 'cost', { limits, spent, reserved, parallel }: BudgetQuestion): number {
  const left = (limits[kind] ?? Infinity) - spent[kind] - reserved[kind]
  return left / Math.max(1, parallel - reserved.calls)
}

/** A person's fresh allowance: the same again, from here on. What agents do not tell cannot be limited, and no longer is. */
export function grantAgain(
  budget: Budget,
  question: Pick<BudgetQuestion, 'limits' | 'spent'>,
  kind: keyof Budget,
): Budget {
  const { limits, spent } = question
  const isUntold = (kind === 'tokens' || kind === 'cost') && spent.untold[kind] > 0
  const fresh = isUntold ? null : (budget[kind] ?? 0) + spent[kind]
  return { ...limits, [kind]: fresh }
}

/** What two calls took together. What only one of them told is kept: at least so much. */
export function addUsage(one: AgentUsage, other: AgentUsage): AgentUsage {
  return {
    input_tokens: addKnown(one.input_tokens, other.input_tokens),
    output_tokens: addKnown(one.output_tokens, other.output_tokens),
    cost: addKnown(one.cost, other.cost),
    seconds: one.seconds + other.seconds,
  }
}

export const NO_USAGE: AgentUsage = { input_tokens: 0, output_tokens: 0, cost: 0, seconds: 0 }

/** The run after a call; null is a call of which nothing is known. */
export function addSpent(spent: Spent, usage: AgentUsage | null): Spent {
  const { input_tokens, output_tokens, cost } = usage ?? NOTHING_KNOWN
  const isTold = input_tokens !== null && output_tokens !== null
  return {
    ...spent,
    tokens: spent.tokens + (addKnown(input_tokens, output_tokens) ?? 0),
    cost: spent.cost + (cost ?? 0),
    untold: { tokens: spent.untold.tokens + (isTold ? 0 : 1), cost: spent.untold.cost + (cost === null ? 1 : 0) },
  }
}

const NOTHING_KNOWN = { input_tokens: null, output_tokens: null, cost: null } as const

export const NOTHING_SPENT: Spent = { tokens: 0, cost: 0, rounds: 0, seconds: 0, untold: { tokens: 0, cost: 0 } }

function addKnown(one: number | null, other: number | null): number | null {
  return one === null && other === null ? null : (one ?? 0) + (other ?? 0)
}

function usedUp(kind: keyof Budget, { limits, spent }: BudgetQuestion): string {
  return `${WORDS[kind](spent[kind])} of ${WORDS[kind](limits[kind] ?? 0)} are used up`
}

const WORDS: Record<keyof Budget, (amount: number) => string> = {
  tokens: (amount) => `${amount} tokens`,
  cost: (amount) => `${amount.toFixed(2)} US dollars`,
  rounds: (amount) => `${amount} questions to agents`,
  seconds: (amount) => `${Math.round(amount)} seconds`,
}

function untold(kind: 'tokens' | 'cost', calls: number): string {
  const what = kind === 'tokens' ? 'how many tokens they used' : 'what they cost'
  return `agents did not tell ${what} (${calls} ${calls === 1 ? 'call' : 'calls'}), so that the limit cannot be kept`
}
