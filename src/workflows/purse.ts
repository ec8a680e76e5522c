import { CancellationScope, condition, isCancellation } from '@temporalio/workflow'
import type { AgentUsage, Allowance } from '../contracts/agent.js'
import type { Budget } from '../contracts/budget.js'
import { addSpent, type BudgetDecision, decideBudget, grantAgain, NOTHING_SPENT, type Spent } from '../rules/budget.js'
import { ask } from './ask.js'
import type { Run } from './run.js'

/** Leave to make one call. */
export interface Drawn {
  allowance: Allowance
  /** The call may take no longer; null is no limit. */
  seconds: number | null
}

/** The budget of one workflow: every call draws from it, and says afterwards what it took. */
export interface Purse {
  /** Why the budget is used up for good; null while it is not. */
  exhausted: string | null
  /** Waits until a call may start; null when the budget is used up and nobody granted more. */
  draw(call: { parallel: number; isNewRound: boolean }): Promise<Drawn | null>
  /**
   * `usage` null: nothing is known. `complaint`: the agent could not work with its allowance, so that a person is asked before the
   * next call.
   */
  settle(drawn: Drawn, usage: AgentUsage | null, complaint?: string): void
  /**
   * Lends a part of what is left to a child workflow, for as many calls as fit into it; `parallel` children may have a part at once.
   * Null as with `draw`.
   */
  lend(parallel: number): Promise<Budget | null>
  /** What a child has used of its part; the rest is there again. */
  repay(loan: Budget, used: Used): void
  /** For the next history of a run: between calls, when nothing is lent. */
  carried(): CarriedPurse
  takeUp(carried: CarriedPurse): void
}

export type CarriedPurse = Pick<PurseState, 'startedAt' | 'limits' | 'spent' | 'refusal'>

/** What a child has used. `untold`: one of its agents did not tell, so that a limit of that kind cannot be kept. */
export interface Used {
  usage: AgentUsage
  untold: { tokens: boolean; cost: boolean }
  rounds: number
}

export interface PurseSetup {
  budget: Budget
  /** For a fresh allowance; 0 asks nobody. */
  answerWithinSeconds: number
}

/** Opens the purse of a run; its time counts from now. What is spent is added to `run.state.usage`. */
export function openPurse(run: Run, setup: PurseSetup): Purse {
  const state: PurseState = {
    run,
    setup,
    startedAt: Date.now(),
    inHand: new Set(),
    lent: new Set(),
    limits: setup.budget,
    spent: NOTHING_SPENT,
    refusal: null,
    asking: null,
  }
  const purse: Purse = {
    exhausted: null,
    draw: (call) => draw(purse, state, call),
    settle: (drawn, usage, complaint) => settle(state, drawn, { usage, complaint }),
    lend: (parallel) => lend(purse, state, parallel),
    repay: (loan, used) => repay(state, loan, used),
    carried: () => {
      const { startedAt, limits, spent, refusal } = state
      return { startedAt, limits, spent, refusal }
    },
    takeUp: (carried) => void Object.assign(state, carried),
  }
  return purse
}

interface PurseState {
  run: Run
  setup: PurseSetup
  startedAt: number
  /** Of the calls under way. */
  inHand: Set<Drawn>
  /** Of children at work. */
  lent: Set<Budget>
  limits: Budget
  spent: Spent
  /** Why a person is to be asked, whatever the figures say. */
  refusal: Refusal | null
  /** The question that is open: one for all who wait. */
  asking: Promise<void> | null
}

type Draw = Parameters<Purse['draw']>[0]

type Go = Extract<BudgetDecision, { go: true }>

async function draw(purse: Purse, state: PurseState, call: Draw): Promise<Drawn | null> {
  const taking = (decision: Go) => take(state, decision, call)
  return await waitFor(purse, state, { decideNow: () => decide(state, call), taking })
}

async function lend(purse: Purse, state: PurseState, parallel: number): Promise<Budget | null> {
  const taking = ({ allowance: { tokens, cost }, seconds }: Go) => {
    const loan = { tokens, cost, rounds: roundsLeft(state, parallel), seconds }
    state.lent.add(loan)
    return loan
  }
  return await waitFor(purse, state, { decideNow: () => decideLoan(state, parallel), taking })
}

function repay(state: PurseState, loan: Budget, { usage, untold, rounds }: Used): void {
  state.lent.delete(loan)
  const told = {
    ...usage,
    input_tokens: usage.input_tokens ?? 0,
    output_tokens: usage.output_tokens ?? 0,
    cost: usage.cost ?? 0,
  }
  const spent = addSpent(state.spent, told)
  const count = (kind: keyof Used['untold']) => spent.untold[kind] + (untold[kind] ? 1 : 0)
  state.spent = { ...spent, rounds: spent.rounds + rounds, untold: { tokens: count('tokens'), cost: count('cost') } }
  showUsage(state, usage)
}

interface Wanted<T> {
  decideNow: () => BudgetDecision
  /** At once when it may be taken: between the two nobody else decides. */
  taking: (decision: Go) => T
}

/** Waits for others to give something back, or for a person. */
async function waitFor<T>(purse: Purse, state: PurseState, { decideNow, taking }: Wanted<T>): Promise<T | null> {
  const { run, inHand, lent } = state
  const isOver = () => purse.exhausted !== null || run.abortReason !== null
  while (!isOver()) {
    const decision = decideNow()
    if (decision.go) return taking(decision)
    const before = inHand.size + lent.size
    if (decision.mayFree) await condition(() => inHand.size + lent.size < before || isOver())
    else await askOnce(purse, state, decision)
  }
  return null
}

/** A loan of no rounds is none. */
function decideLoan(state: PurseState, parallel: number): BudgetDecision {
  const decision = decide(state, { parallel, isNewRound: false })
  if (!decision.go || (roundsLeft(state, parallel) ?? 1) >= 1) return decision
  const reason = `${state.spent.rounds} of ${state.limits.rounds} questions to agents are used up`
  return { go: false, kind: 'rounds', reason, mayFree: state.lent.size > 0 }
}

/** A part of the calls that may still be made; null is no limit. */
function roundsLeft({ limits, spent, lent }: PurseState, parallel: number): number | null {
  if (limits.rounds === null) return null
  const left = limits.rounds - spent.rounds - sumOf([...lent].map((loan) => loan.rounds))
  return left < 1 ? 0 : Math.max(1, Math.floor(left / Math.max(1, parallel - lent.size)))
}

function decide(state: PurseState, call: Draw): BudgetDecision {
  if (state.refusal !== null) return { go: false, ...state.refusal, mayFree: false }
  const { limits, inHand, lent, startedAt } = state
  state.spent = { ...state.spent, seconds: (Date.now() - startedAt) / 1000 }
  return decideBudget({ limits, spent: state.spent, reserved: reservedBy(inHand, lent), ...call })
}

function take(state: PurseState, decision: Go, { isNewRound }: Draw): Drawn {
  const drawn = { allowance: decision.allowance, seconds: decision.seconds }
  state.inHand.add(drawn)
  if (isNewRound) state.spent = { ...state.spent, rounds: state.spent.rounds + 1 }
  return drawn
}

/** Whoever comes second waits for the same answer. When only the one who asked was cancelled, the next one asks again. */
async function askOnce(purse: Purse, state: PurseState, refused: Refusal): Promise<void> {
  state.asking ??= askForMore(purse, state, refused).finally(() => (state.asking = null))
  try {
    await state.asking
  } catch (error) {
    if (!isCancellation(error) || CancellationScope.current().consideredCancelled) throw error
  }
}

async function askForMore(purse: Purse, state: PurseState, refused: Refusal): Promise<void> {
  const { run, setup } = state
  const earlier = run.state.questions.filter((each) => each.id.startsWith('budget-')).length
  const answer = await ask(run, { id: `budget-${earlier + 1}`, ...questionAbout(refused) }, setup.answerWithinSeconds)
  state.refusal = null
  // Waiting took time; nobody who grants more time means the past.
  state.spent = { ...state.spent, seconds: (Date.now() - state.startedAt) / 1000 }
  if (answer === 'continue') state.limits = grantAgain(setup.budget, state, refused.kind)
  else purse.exhausted = refused.reason
}

function settle(
  state: PurseState,
  drawn: Drawn,
  after: { usage: AgentUsage | null; complaint: string | undefined },
): void {
  const { usage, complaint } = after
  state.inHand.delete(drawn)
  state.spent = addSpent(state.spent, usage)
  const kind = drawn.allowance.tokens === null ? 'cost' : 'tokens'
  if (complaint !== undefined) state.refusal = { kind, reason: complaint }
  showUsage(state, usage)
}

function showUsage({ run }: PurseState, usage: AgentUsage | null): void {
  run.state.usage.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
  run.state.usage.cost += usage?.cost ?? 0
  run.show()
}

interface Refusal {
  kind: keyof Budget
  reason: string
}

function reservedBy(inHand: ReadonlySet<Drawn>, lent: ReadonlySet<Budget>) {
  const all = [...[...inHand].map((drawn) => drawn.allowance), ...lent]
  const sum = (kind: keyof Allowance) => sumOf(all.map((each) => each[kind]))
  return { calls: all.length, tokens: sum('tokens'), cost: sum('cost') }
}

function sumOf(amounts: readonly (number | null)[]): number {
  return amounts.reduce<number>((total, each) => total + (each ?? 0), 0)
}

function questionAbout({ reason }: Refusal) {
  return {
    kind: 'choice' as const,
    title: 'The budget of this run is used up',
    detail: `${reason}. What is done is kept either way.`,
    options: [
      { key: 'continue', label: 'a fresh allowance: the same again' },
      { key: 'stop', label: 'end the run here' },
    ],
    default: 'stop',
  }
}
