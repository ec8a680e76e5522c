import type { SecurityGate } from '../contracts/quality.js'

export type Vulnerabilities = NonNullable<SecurityGate['vulnerabilities']>

/**
 * What `npm audit --json` says: counts by severity, or why there are none. An answer without counts is no clean bill: the audit
 * service did not answer, or there is nothing to ask it about.
 */
export function readNpmAudit(text: string): Vulnerabilities | { problem: string } {
  const report = parsed(text)
  const counts = countsOf(fieldsOf(fieldsOf(report['metadata'])['vulnerabilities']))
  if (counts !== null) return counts
  const error = fieldsOf(report['error'])
  const told = [report['message'], error['summary'], error['code']]
  const words = told.find((each): each is string => typeof each === 'string')
  return { problem: `the audit service gave no answer${words === undefined ? '' : ` (${firstLine(words)})`}` }
}

/** Null unless every severity has its count. */
function countsOf(counts: Fields): Vulnerabilities | null {
  const [critical, high, moderate, low, info] = ['critical', 'high', 'moderate', 'low', 'info'].map(
    (name) => counts[name],
  )
  if (!isCount(critical) || !isCount(high) || !isCount(moderate) || !isCount(low) || !isCount(info)) return null
  return { critical, high, moderate, low, info }
}

/** Seed 001: no high or critical ones are allowed. */
export function hasGraveVulnerability({ critical, high }: Vulnerabilities): boolean {
  return critical + high > 0
}

/** Addresses of a private registry are nobody's business. */
function firstLine(text: string): string {
  return (text.split(/[\n,]/, 1)[0] ?? '').replaceAll(/https?:\/\/\S+/g, 'the registry').slice(0, 200)
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

type Fields = Record<string, unknown>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}
