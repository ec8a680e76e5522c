import { FAULT_KINDS } from './finding-kinds-faults.js'
import { INPUT_KINDS } from './finding-kinds-input.js'
import { RUNNING_KINDS } from './finding-kinds-running.js'
import { TRUST_KINDS } from './finding-kinds-trust.js'
import type { ReviewLabel, ReviewSeverity } from './words.js'

/** What a rule of an analyser means here. */
export interface FindingKind {
  label: ReviewLabel
  severity: ReviewSeverity
  /** Rules of several analysers for one thing have one subject: their findings on one line are one finding. */
  subject: string
  /** Cause and effect, a sentence or two. */
  why: string
  /** What to do instead, an imperative without its full stop. */
  instead: string
}

const SECRET: FindingKind = {
  label: 'Security',
  severity: 'Critical',
  subject: 'secret',
  why: 'A key, token or password stands in the text. Whoever can read the repository, or ever could, has it.',
  instead: 'take it from the environment or a secret store, and revoke this one',
}

/** Whole families, by the start of the rule's name; the longest first. */
const FAMILIES: readonly (readonly [start: string, kind: FindingKind])[] = [
  ['secret/', SECRET],
  [
    'regexp/',
    family(
      'Functionality',
      'Low',
      'regexp',
      'The regular expression does not mean what it seems to',
      'write what is meant',
    ),
  ],
  [
    'security/',
    family('Security', 'Medium', 'security', 'The call is a common way into a program', 'check what is passed to it'),
  ],
  [
    'ruff/S',
    family(
      'Security',
      'Medium',
      'security',
      'The call is a common way into a program',
      'use the safe way, or check what is passed',
    ),
  ],
  [
    'ruff/PERF',
    family('Performance', 'Low', 'performance', 'It takes more time than is needed', 'use the shorter way'),
  ],
  ['ruff/', family('Functionality', 'Medium', 'fault', 'The code does not do what it seems to', 'write what is meant')],
  [
    'bandit/',
    family(
      'Security',
      'Medium',
      'security',
      'The call is a common way into a program',
      'use the safe way, or check what is passed',
    ),
  ],
]

/** Everything else: core rules of ESLint that hold what is a mistake in any program. */
const FAULT = family('Functionality', 'Medium', 'fault', 'The code does not do what it seems to', 'write what is meant')

const OWN: ReadonlyMap<string, FindingKind> = new Map(
  [...RUNNING_KINDS, ...INPUT_KINDS, ...TRUST_KINDS, ...FAULT_KINDS].flatMap(({ rules, ...kind }) =>
    rules.map((rule) => [rule, kind] as const),
  ),
)

/** The kind of a rule: its own row, else its family's. */
export function findingKind(rule: string): FindingKind {
  const own = OWN.get(rule)
  if (own !== undefined) return own
  const found = FAMILIES.find(([start]) => rule.startsWith(start))
  return found === undefined ? { ...FAULT, subject: rule } : { ...found[1], subject: `${found[1].subject}:${rule}` }
}

/** The subject of a rule where it is one of ours; null for the word of a reviewer. */
export function subjectOf(rule: string | null): string | null {
  return rule === null ? null : findingKind(rule).subject
}

function family(label: ReviewLabel, severity: ReviewSeverity, ...words: [string, string, string]): FindingKind {
  const [subject, why, instead] = words
  return { label, severity, subject, why: `${why}.`, instead }
}
