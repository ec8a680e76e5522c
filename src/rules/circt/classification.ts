import type { ValidateResult, SourceLanguage } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { isDeath, isEndless } from './signature.js'

/** How a program took the source: it compiled, it was rejected with a diagnostic, the program itself failed, or nobody could ask. */
export type Acceptance = 'accepts' | 'rejects' | 'fails' | 'unavailable'

export interface ValidationFacts {
  language: SourceLanguage
  isEmpty: boolean
  signature: CrashSignature
  /** First error as printed, or null. */
  error: { message: string; isLocated: boolean } | null
  /** The front end's parser alone. */
  syntax: Acceptance
  /** Everything the front end checks before lowering: elaboration for SystemVerilog, the verifier for MLIR. */
  semantics: Acceptance
  /** Programs that are not CIRCT's, by name. */
  others: Readonly<Record<string, Acceptance>>
}

export interface Classification extends Pick<ValidateResult, 'result' | 'confidence' | 'reason'> {
  /** Name of the rule that decided. */
  rule: string
}

/**
 * What a case is worth (pipelines.md circt 6): the first rule of the table that fits. Crashes, hangs and silent ends are the compiler's fault whatever
 * the source; a diagnostic is the source's fault as long as it comes from a check of the source and nobody else accepts it; in doubt `report`.
 */
export function classify(facts: ValidationFacts): Classification {
  const row = TABLE.find(({ fits }) => fits(facts)) ?? IN_DOUBT
  const { rule, result, confidence } = row
  return { rule, result, confidence, reason: row.reason(facts).slice(0, 400) }
}

/** Messages about what the compiler cannot do, as against what the source does wrong. */
export function isUnsupportedMessage(message: string): boolean {
  return /\b(?:unsupported|unimplemented)\b|\bnot (?:yet |currently )?(?:supported|implemented|handled)\b|\bcannot (?:yet|currently)\b/i.test(
    message,
  )
}

/** The compiler itself calls it a gap it knows of. */
export function isKnownLimitation(message: string): boolean {
  return /\bknown limitation\b|\bnot (?:yet|currently) (?:supported|implemented|handled)\b|\b(?:supported|implemented) yet\b/i.test(
    message,
  )
}

interface Row {
  rule: string
  result: ValidateResult['result']
  confidence: ValidateResult['confidence']
  fits: (facts: ValidationFacts) => boolean
  reason: (facts: ValidationFacts) => string
}

const IN_DOUBT: Row = {
  rule: 'in doubt',
  result: 'report',
  confidence: 'low',
  fits: () => true,
  reason: () => 'Nothing shows that the source is at fault.',
}

const TABLE: readonly Row[] = [
  {
    rule: 'empty input',
    result: 'invalid_testcase',
    confidence: 'high',
    fits: ({ isEmpty, signature }) => isEmpty && !isCompilerFailure(signature),
    reason: () => 'The source is empty.',
  },
  {
    rule: 'usage error',
    result: 'invalid_testcase',
    confidence: 'medium',
    fits: ({ error }) =>
      /^(?:Unknown command line argument|for the --?[\w-]+ option|[Cc](?:annot|ould not) open input file)/.test(
        error?.message ?? '',
      ),
    reason: ({ error }) => `The command does not fit this tool: ${error?.message}`,
  },
  {
    rule: 'every other tool rejects the source',
    result: 'not_a_bug',
    confidence: 'medium',
    fits: (facts) =>
      facts.semantics === 'rejects' &&
      acceptors(facts).length === 0 &&
      rejectors(facts).length > 0 &&
      facts.signature.kind !== 'verifier_error',
    reason: (facts) => `Rejected by ${rejectors(facts).join(', ')} and by the front end's own check.`,
  },
  {
    rule: 'compiler failure',
    result: 'report',
    confidence: 'high',
    fits: ({ signature }) => isCompilerFailure(signature),
    reason: ({ signature }) =>
      `The compiler itself fails (${signature.kind.replace('_', ' ')}): no source may cause that.`,
  },
  {
    rule: 'invalid IR written by hand',
    result: 'invalid_testcase',
    confidence: 'medium',
    fits: ({ language, signature, semantics }) =>
      language === 'mlir' &&
      signature.kind === 'verifier_error' &&
      semantics === 'rejects' &&
      signature.failing_pass === null,
    reason: () => 'The IR does not pass the verifier before any pass runs.',
  },
  {
    rule: 'verifier or legalisation',
    result: 'report',
    confidence: 'high',
    fits: ({ signature }) => signature.kind === 'verifier_error',
    reason: ({ signature }) => `The compiler rejects IR of its own making: ${signature.message ?? 'no message'}`,
  },
  {
    rule: 'nothing seen',
    result: 'report',
    confidence: 'low',
    fits: ({ signature }) => signature.kind === 'none' || signature.kind === 'interesting',
    reason: () => 'The tool accepts the case: only the reporter can say what is wrong with its result.',
  },
  {
    rule: 'unsupported feature that is accepted elsewhere',
    result: 'feature_request',
    confidence: 'medium',
    fits: (facts) => isUnsupportedMessage(messageOf(facts)) && isAcceptedElsewhere(facts),
    reason: (facts) => `Valid for ${acceptedBy(facts)}, but not supported: ${messageOf(facts)}`,
  },
  {
    rule: 'known limitation',
    result: 'existing_issue',
    confidence: 'medium',
    fits: (facts) => isKnownLimitation(messageOf(facts)) && facts.syntax !== 'rejects',
    reason: (facts) => `The compiler names the limitation itself: ${messageOf(facts)}`,
  },
  {
    rule: 'rejected here, accepted by another tool',
    result: 'report',
    confidence: 'medium',
    fits: (facts) => acceptors(facts).length > 0,
    reason: (facts) => `${acceptors(facts).join(', ')} accepts the source, the front end does not: ${messageOf(facts)}`,
  },
  {
    rule: 'parse error',
    result: 'invalid_testcase',
    confidence: 'high',
    fits: ({ syntax }) => syntax === 'rejects',
    reason: (facts) => `The source does not parse: ${messageOf(facts)}`,
  },
  {
    rule: 'rejected by the front end',
    result: 'not_a_bug',
    confidence: 'high',
    fits: ({ semantics, error }) => semantics === 'rejects' && error?.isLocated === true,
    reason: (facts) => `The front end explains what is wrong with the source: ${messageOf(facts)}`,
  },
  {
    rule: 'rejected by the analysis of the front end',
    result: 'not_a_bug',
    confidence: 'medium',
    fits: ({ language, error }) => language === 'sv' && SLANG_OPTION.test(error?.message ?? ''),
    reason: (facts) => `The front end's analysis of the source explains what is wrong with it: ${messageOf(facts)}`,
  },
  {
    rule: 'SystemVerilog that elaborates but is not lowered',
    result: 'report',
    confidence: 'medium',
    fits: ({ language, semantics }) => language === 'sv' && semantics === 'accepts',
    reason: (facts) => `The source elaborates without an error, yet is rejected: ${messageOf(facts)}`,
  },
  {
    rule: 'diagnosed by a check of the source',
    result: 'not_a_bug',
    confidence: 'high',
    fits: (facts) => facts.error?.isLocated === true && isSourceCheck(facts),
    reason: (facts) => `A located diagnostic explains what is wrong with the source: ${messageOf(facts)}`,
  },
]

/** slang names the option that governs a diagnostic of its own; what CIRCT says has none. Its check without lowering leaves the analysis out. */
const SLANG_OPTION = / \[-W[\w-]+\]$/

/** Ends that no source may cause, a silent failure included. */
function isCompilerFailure({ kind }: CrashSignature): boolean {
  return isDeath(kind) || isEndless(kind)
}

/** All of firtool's passes on FIRRTL text check what a person wrote; on MLIR only those that are checks by name do. */
function isSourceCheck({ language, signature }: ValidationFacts): boolean {
  return language !== 'mlir' || /^(?:Check|Verify|Infer|Lint)/.test(signature.failing_pass ?? '')
}

function messageOf({ error }: ValidationFacts): string {
  return error?.message ?? ''
}

function acceptors({ others }: ValidationFacts): string[] {
  return Object.keys(others).filter((name) => others[name] === 'accepts')
}

function rejectors({ others }: ValidationFacts): string[] {
  return Object.keys(others).filter((name) => others[name] === 'rejects')
}

function isAcceptedElsewhere(facts: ValidationFacts): boolean {
  return acceptors(facts).length > 0 || facts.semantics === 'accepts'
}

function acceptedBy(facts: ValidationFacts): string {
  return [...acceptors(facts), ...(facts.semantics === 'accepts' ? ["the front end's own check"] : [])].join(' and ')
}
