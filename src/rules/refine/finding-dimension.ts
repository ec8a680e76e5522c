import type { Dimension, Severity } from '../../contracts/aggregate.js'
import { findingKind } from '../review/finding-kinds.js'

/** What a rule of an analyser means to the three reviewers. */
export interface RoundKind {
  dimension: Dimension
  severity: Severity
  /** 'SHELL_COMMAND' */
  type: string
  why: string
  instead: string
}

/** Rules of the metrics analyser: functions that are hard to read, and waits that could go together. */
const METRICS: Readonly<Record<string, RoundKind>> = {
  complexity: {
    dimension: 'quality',
    severity: 'Medium',
    type: 'COMPLEXITY',
    why: 'So many ways through one function can hardly be read or tested.',
    instead: 'split it into functions that each do one thing, or put the cases into a table',
  },
  'max-depth': {
    dimension: 'quality',
    severity: 'Medium',
    type: 'DEEP_NESTING',
    why: 'Whoever reads the innermost lines has to keep all conditions around them in mind.',
    instead: 'return early, or move the inner part into a function of its own',
  },
  'max-lines-per-function': {
    dimension: 'quality',
    severity: 'Medium',
    type: 'LONG_FUNCTION',
    why: 'A function of this length does several things.',
    instead: 'split it where one of them ends',
  },
  'max-params': {
    dimension: 'quality',
    severity: 'Low',
    type: 'MANY_PARAMETERS',
    why: 'Calls with so many arguments are easily given in the wrong order.',
    instead: 'take one object with named fields',
  },
  'no-await-in-loop': {
    dimension: 'performance',
    severity: 'Low',
    type: 'SEQUENTIAL_AWAIT',
    why: 'Each turn of the loop waits for the one before.',
    instead:
      'collect the promises and await them together, with a limit where there are many; where the order matters, leave it',
  },
}

/** Security and performance by what the rule's kind says; everything else is about quality. */
export function roundKind(rule: string): RoundKind {
  const own = METRICS[rule]
  if (own !== undefined) return own
  const { label, severity, subject, why, instead } = findingKind(rule)
  const dimension = label === 'Security' ? 'security' : label === 'Performance' ? 'performance' : 'quality'
  return { dimension, severity, type: typeOf(subject), why, instead }
}

/** 'fault:no-dupe-keys' → 'NO_DUPE_KEYS'. */
function typeOf(subject: string): string {
  const word = subject.slice(subject.lastIndexOf(':') + 1)
  return word
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
    .slice(0, 80)
}
