import type { z } from 'zod'
import { AggregateInput, Lang, OwnThresholds, Preset, Weights } from '../contracts/aggregate.js'
import { parseContract } from '../contracts/parse.js'
import { type AggregateSettings, resolveSettings, type WantedSettings } from '../rules/aggregate-settings.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, textOption } from './command.js'
import { readJsonInput } from './read-json-input.js'

/** What a person asked of `aggregate`, read and checked. */
export interface AggregateRequest {
  input: AggregateInput
  settings: AggregateSettings
  lang: Lang
}

/** Throws `Failure` with one line that names the field or option, what was expected and what came. */
export async function readAggregateRequest(context: Context, input: CommandInput): Promise<AggregateRequest> {
  const call = wantedSettings(input)
  const lang = parseContract(Lang, textOption(input, 'lang') ?? 'en', '--lang')
  const order = { given: input.args['FILE'], what: 'the three reviews', maxBytes }
  const { name, document } = await readJsonInput(context, order, AggregateInput)
  const settings = resolveSettings(call, document)
  checkIteration(document.iteration, settings, name)
  return { input: document, settings, lang }
}

const maxBytes = 50_000_000

/** `--preset`, `--thresholds` and `--weights` as they were typed. Throws a mistake of the person. */
export function wantedSettings(input: CommandInput): WantedSettings {
  return {
    preset: optional(Preset, textOption(input, 'preset'), '--preset'),
    thresholds: optional(OwnThresholds, numbersOption(input, 'thresholds'), '--thresholds'),
    weights: optional(Weights, numbersOption(input, 'weights'), '--weights'),
  }
}

function checkIteration(iteration: number, { thresholds }: AggregateSettings, name: string): void {
  const most = thresholds.max_iterations
  if (iteration <= most) return
  throw mistake(`${name}: iteration`, `a whole number from 1 to ${most} (max_iterations)`, String(iteration))
}

function optional<T extends z.ZodType>(contract: T, value: unknown, what: string): z.infer<T> | undefined {
  return value === undefined ? undefined : parseContract(contract, value, what)
}

/** "security=0.5,quality=0.3" → {security: 0.5, quality: 0.3}; what is no number stays text, for the contract to refuse by name. */
function numbersOption(input: CommandInput, option: string): Record<string, number | string> | undefined {
  const given = textOption(input, option)
  if (given === undefined) return undefined
  const numbers = new Map<string, number | string>()
  for (const part of given.split(',')) {
    const [name = '', value = ''] = part.split(/=(.*)/s).map((each) => each.trim())
    if (!part.includes('=') || name === '') throw mistake(`--${option}`, 'NAME=NUMBER,…', JSON.stringify(part))
    if (numbers.has(name)) throw mistake(`--${option}`, `${name} once`, 'it twice')
    numbers.set(name, /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value)
  }
  return Object.fromEntries(numbers)
}
