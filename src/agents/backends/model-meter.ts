import type { AgentUsage, Allowance } from '../../contracts/agent.js'
import { Failure } from '../../contracts/failures.js'
import type { ModelDefinition } from './model-link.js'

/** Counts what the calls of one question used, and bounds the next by what is left. */
export interface Meter {
  usage(): AgentUsage
  /**
   * Most output tokens of a call with a prompt of so many bytes; null for no bound. Throws `Failure('Budget.Exhausted')` when what is
   * left is not enough for it.
   */
  bound(promptBytes: number): Bound | null
  /** What the server said that a call used; where it says nothing, the bytes are counted. */
  add(call: CallUse): void
}

export interface Bound {
  tokens: number
  /** True when the allowance, not the definition, is what bounds. */
  isAllowance: boolean
}

export interface CallUse {
  input: number | undefined
  output: number | undefined
  promptBytes: number
  answerBytes: number
}

/** Throws `Failure('Agent.Rejected')` when a limit on costs cannot be kept because the price is not known. */
export function openMeter(
  definition: Pick<ModelDefinition, 'price' | 'max_output_tokens'>,
  allowance: Allowance,
): Meter {
  const { price } = definition
  const startedAt = performance.now()
  let input = 0
  let output = 0
  let tokensPerByte = 1 / bytesPerToken
  if (allowance.cost !== null && price === undefined)
    throw new Failure(
      'Agent.Rejected',
      'a limit on costs needs the price of the model: write it into the definition of the agent',
    )

  const cost = () => (price === undefined ? null : (input * price.input + output * price.output) / 1e6)

  function left(promptTokens: number): number {
    const byTokens = allowance.tokens === null ? Infinity : allowance.tokens - input - output - promptTokens
    if (allowance.cost === null || price === undefined) return byTokens
    const money = allowance.cost - (cost() ?? 0) - (promptTokens * price.input) / 1e6
    return Math.min(byTokens, price.output === 0 && money >= 0 ? Infinity : (money / price.output) * 1e6)
  }

  function bound(promptBytes: number): Bound | null {
    const most = Math.floor(left(Math.ceil(promptBytes * tokensPerByte)))
    if (most < leastTokens)
      throw new Failure('Budget.Exhausted', 'what is left of the budget is not enough for another call')
    const own = definition.max_output_tokens ?? (most === Infinity ? Infinity : usualTokens)
    const tokens = Math.min(most, own)
    return tokens === Infinity ? null : { tokens, isAllowance: most <= own }
  }

  function add(call: CallUse): void {
    const counted = call.input ?? Math.ceil(call.promptBytes * tokensPerByte)
    input += counted
    output += call.output ?? Math.ceil(call.answerBytes / bytesPerToken)
    if (call.promptBytes > 0) tokensPerByte = counted / call.promptBytes
  }

  const seconds = () => (performance.now() - startedAt) / 1000
  return { bound, add, usage: () => ({ input_tokens: input, output_tokens: output, cost: cost(), seconds: seconds() }) }
}

/** Code and JSON have three to four bytes a token; the lower is the careful one, until the server has said what it counts. */
const bytesPerToken = 3

/** OpenAI's servers refuse to be asked for fewer. */
const leastTokens = 16

/** With an allowance much larger than any answer, asking for all of it would be refused. */
const usualTokens = 16_384
