import type { AnalysisFile } from '../../contracts/circt-files.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { printable } from './issue-text-safety.js'
import { ownFunctions, passName } from './keywords.js'
import { isDeath } from './signature.js'
import { componentOf } from './title-component.js'

export interface TitleFacts {
  analysis: Pick<AnalysisFile, 'dialect' | 'failing_pass' | 'assertion_message' | 'frames' | 'signature'> | null
  signature: CrashSignature
  tool: string
  isFeatureRequest: boolean
  /** The failure's message as printed. */
  said: string | null
  /** What is left in the reduced test case. */
  trigger: string | null
}

/** `[Component] symptom in place with what triggers it`, at most 120 characters: `[Comb] Segmentation fault in Canonicalizer with comb.concat`. */
export function issueTitle(facts: TitleFacts): string {
  const component = componentOf(facts.analysis?.dialect ?? null, facts.tool)
  return bounded(`[${component}] ${symptomOf(facts)}${detailOf(facts)}`)
}

function symptomOf(facts: TitleFacts): string {
  const { signature, analysis, isFeatureRequest, said } = facts
  // Such messages name the symptom themselves.
  if (said !== null && (isFeatureRequest || isUnlegalised(signature))) return `${capitalised(said)}${placeOf(facts)}`
  if (isFeatureRequest) return `Support for input that is rejected${placeOf(facts)}`
  // An assertion of another build is the same end by another name; a tool that runs away is not.
  const isAsserted = isDeath(signature.kind) && typeof analysis?.assertion_message === 'string'
  return `${isAsserted ? symptoms.assertion : symptomOfKind(signature, said)}${placeOf(facts)}`
}

function symptomOfKind({ kind, signal, message }: CrashSignature, said: string | null): string {
  if (kind === 'runaway' && message !== null) return capitalised(message)
  if (kind === 'crash' && signal === 'SIGSEGV') return 'Segmentation fault'
  // What a script finds interesting is an error wherever the tool prints one.
  return kind === 'interesting' && said !== null ? symptoms.diagnostic : symptoms[kind]
}

/** True when no conversion pattern took an operation: MLIR says so by an error, and no verifier is involved. */
export function isUnlegalised({ kind, message }: CrashSignature): boolean {
  return kind === 'verifier_error' && message?.startsWith('failed to legalize') === true
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const symptoms = {
  crash: 'Crash',
  assertion: 'Assertion failure',
  verifier_error: 'Verifier error',
  fatal_error: 'Fatal error',
  diagnostic: 'Unexpected error',
  hang: 'Hang',
  runaway: 'No end of output, processes or files',
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
  runaway: false,
  memory: false,
  interesting: true,
  none: false,
} as const

function placeOf({ analysis, signature }: TitleFacts): string {
  const pass = passName(signature.failing_pass ?? analysis?.failing_pass ?? '')
  const place = pass || (analysis === null ? '' : (ownFunctions(analysis)[0] ?? ''))
  return place === '' ? '' : ` in ${place}`
}

function detailOf({ analysis, signature, isFeatureRequest, said, trigger }: TitleFacts): string {
  const isSaid = said !== null && (isFeatureRequest || isUnlegalised(signature))
  if (isSaid) return ''
  const message = analysis?.assertion_message ?? (quotes[signature.kind] ? said : null)
  if (message !== null) return `: ${message}`
  return trigger === null ? '' : ` with ${trigger}`
}

/** A title is plain text on GitHub, but a mention in it is shown to people all the same: one line, bounded, no hidden marks. */
function bounded(title: string): string {
  const line = printable(title).replace(/\s+/g, ' ').trim()
  return line.length > 120 ? `${Array.from(line).slice(0, 119).join('').trimEnd()}…` : line
}
