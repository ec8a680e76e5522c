import type { AnalysisFile } from '../../contracts/circt-files.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { printable } from './issue-text-safety.js'
import { ownFunctions, passName } from './keywords.js'
import { componentOf } from './title-component.js'

export interface TitleFacts {
  analysis: Pick<
    AnalysisFile,
    'dialect' | 'failing_pass' | 'assertion_message' | 'frames' | 'signature' | 'test_case'
  > | null
  signature: CrashSignature
  tool: string
  isFeatureRequest: boolean
}

/** `[Component] symptom in place with constructs`, at most 120 characters: `[Comb] Segmentation fault in Canonicalizer with comb.concat`. */
export function issueTitle(facts: TitleFacts): string {
  const { analysis, signature, tool, isFeatureRequest } = facts
  const component = componentOf(analysis?.dialect ?? null, tool)
  const symptom = isFeatureRequest ? 'Support for input that is rejected' : symptomOf(signature)
  return bounded(`[${component}] ${symptom}${placeOf(facts)}${detailOf(facts)}`)
}

function symptomOf({ kind, signal }: CrashSignature): string {
  return kind === 'crash' && signal === 'SIGSEGV' ? 'Segmentation fault' : symptoms[kind]
}

const symptoms = {
  crash: 'Crash',
  assertion: 'Assertion failure',
  verifier_error: 'Verifier error',
  fatal_error: 'Fatal error',
  diagnostic: 'Unexpected error',
  hang: 'Hang',
  memory: 'Unbounded memory use',
  interesting: 'Wrong result',
  none: 'Wrong result',
} as const

/** Kinds whose message says more than constructs do. */
const quotes = {
  crash: false,
  assertion: true,
  verifier_error: true,
  fatal_error: true,
  diagnostic: true,
  hang: false,
  memory: false,
  interesting: false,
  none: false,
} as const

function placeOf({ analysis, signature }: TitleFacts): string {
  const pass = passName(signature.failing_pass ?? analysis?.failing_pass ?? '')
  const place = pass || (analysis === null ? '' : (ownFunctions(analysis)[0] ?? ''))
  return place === '' ? '' : ` in ${place}`
}

function detailOf({ analysis, signature, isFeatureRequest }: TitleFacts): string {
  const said = quotes[signature.kind] || isFeatureRequest ? signature.message : null
  const message = analysis?.assertion_message ?? said ?? ''
  const constructs = (analysis?.test_case.key_constructs ?? []).slice(0, 2).join(', ')
  if (message !== '') return `: ${message}`
  return constructs === '' ? '' : ` with ${constructs}`
}

/** A title is plain text on GitHub, but a mention in it is shown to people all the same: one line, bounded, no hidden marks. */
function bounded(title: string): string {
  const line = printable(title).replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${Array.from(line).slice(0, 119).join('').trimEnd()}…` : line
}
