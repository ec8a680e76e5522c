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
    limits: setup.budget,
    spent: NOTHING_SPENT,
    refusal: null,
    asking: null,
  }
  const purse: Purse = {
    exhausted: null,
    draw: (call) => draw(purse, state, call),
    settle: (drawn, usage, complaint) => settle(state, drawn, { usage, complaint }),
  }
  return purse
}

interface PurseState {
  run: Run
  setup: PurseSetup
  startedAt: number
  /** Of the calls under way. */
  inHand: Set<Drawn>
  limits: Budget
  spent: Spent
  /** Why a person is to be asked, whatever the figures say. */
  refusal: Refusal | null
  /** The question that is open: one for all who wait. */
  asking: Promise<void> | null
}

type Draw = Parameters<Purse['draw']>[0]

async function draw(purse: Purse, state: PurseState, call: Draw): Promise<Drawn | null> {
  const { run, inHand } = state
  const isOver = () => purse.exhausted !== null || run.abortReason !== null
  while (!isOver()) {
    const decision = decide(state, call)
    if (decision.go) return take(state, decision, call)
    const before = inHand.size
    if (decision.mayFree) await condition(() => inHand.size < before || isOver())
    else await askOnce(purse, state, decision)
  }
  return null
}

function decide(state: PurseState, call: Draw): BudgetDecision {
  if (state.refusal !== null) return { go: false, ...state.refusal, mayFree: false }
  const { limits, inHand, startedAt } = state
  state.spent = { ...state.spent, seconds: (Date.now() - startedAt) / 1000 }
  return decideBudget({ limits, spent: state.spent, reserved: reservedBy(inHand), ...call })
}

function take(state: PurseState, decision: Extract<BudgetDecision, { go: true }>, { isNewRound }: Draw): Drawn {
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
  state.run.state.usage.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
  state.run.state.usage.cost += usage?.cost ?? 0
  state.run.show()
}

interface Refusal {
  kind: keyof Budget
  reason: string
}

function reservedBy(inHand: ReadonlySet<Drawn>): { calls: number; tokens: number; cost: number } {
  const all = [...inHand].map((drawn) => drawn.allowance)
  const sum = (kind: keyof Allowance) => all.reduce((total, each) => total + (each[kind] ?? 0), 0)
  return { calls: inHand.size, tokens: sum('tokens'), cost: sum('cost') }
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
