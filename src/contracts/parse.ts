import type { z } from 'zod'
import { redactUrls } from '../rules/git/repository-url.js'
import { Failure } from './failures.js'

/**
 * Parses untrusted data against a contract. Throws `Failure('Contract.Violated')` whose one line names the first field that
 * does not fit, what was expected and what came; all complaints are in `details.issues`.
 */
export function parseContract<T extends z.ZodType>(contract: T, value: unknown, what: string): z.infer<T> {
  const parsed = contract.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.slice(0, 20).map((issue) => describeIssue(issue, value))
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  throw new Failure('Contract.Violated', `${what}: ${issues[0] ?? 'does not fit'}${more}`, { details: { issues } })
}

/** Parses JSON text, then the contract. Syntax errors are `Contract.Violated` as well. */
export function parseJson<T extends z.ZodType>(contract: T, text: string, what: string): z.infer<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failure('Contract.Violated', `${what}: expected JSON, got ${preview(text)}`, { cause: error })
  }
  return parseContract(contract, value, what)
}

function describeIssue(issue: z.core.$ZodIssue, root: unknown): string {
  const field = issue.path.map(String).join('.') || '(document)'
  const came = issue.path.reduce<unknown>((value, key) => childOf(value, key), root)
  const expected = issue.message.replace(/^Invalid input: /, '').replace(/, received \w+$/, '')
  return `${field}: ${expected}, got ${preview(came)}`
}

function childOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

function preview(value: unknown): string {
  // JSON has no word for them, and 1e999 is read as one.
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  const text = redactUrls(value === undefined ? 'nothing' : (jsonOf(value) ?? typeof value))
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** JSON can be read that is too deep to be written again. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return 'something nested too deeply'
    throw error
  }
}
