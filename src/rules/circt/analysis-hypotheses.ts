import type { AnalysisFile } from '../../contracts/circt-files.js'
import type { CrashKind } from '../../contracts/crash-signature.js'
import { missingThingOf } from './missing-thing.js'
import { isEndless } from './signature.js'

export interface HypothesisClues {
  kind: CrashKind
  /** Null too when the engine stopped the run. */
  signal: string | null
  failingPass: string | null
  message: string | null
  /** As printed here, or as error.txt reports it from a build that has assertions. */
  assertion: string | null
  /** Meaningful frames, innermost first. */
  frames: readonly string[]
  /** Top frames of the signature. */
  ownFrames: readonly string[]
  problematicPatterns: readonly string[]
  keyConstructs: readonly string[]
}

export type Hypothesis = AnalysisFile['hypotheses'][number]

/** What may be wrong, the best founded first; each with the evidence that suggests it. Never empty: the last resort says what is not known. */
export function hypothesesOf(clues: HypothesisClues): Hypothesis[] {
  const found = RULES.flatMap((rule) => rule(clues) ?? [])
  const ranked = found.sort((a, b) => ORDER.indexOf(a.confidence) - ORDER.indexOf(b.confidence))
  if (ranked.length > 0) return ranked.slice(0, 5)
  return [
    {
      description: 'The failure leaves no trace of its place: no stack, no pass, no message.',
      confidence: 'low',
      evidence: [],
    },
  ]
}

/** Where a fix would start, one line per rule that applies. */
export function fixDirectionsOf(clues: HypothesisClues): string[] {
  const place = clues.ownFrames[0] ?? clues.failingPass ?? 'the failing code'
  return [
    ...(FIXES[clues.kind] ?? []).map((fix) => fix.replaceAll('{place}', place)),
    'Add the reduced test case as a regression test.',
  ]
}

const ORDER = ['high', 'medium', 'low']

const FIXES: Partial<Record<CrashKind, readonly string[]>> = {
  crash: [
    'Check in `{place}` what is looked up or cast before it is used, and emit a diagnostic where it is not there.',
  ],
  assertion: ['Establish what `{place}` asserts before it is called, or emit a diagnostic instead.'],
  fatal_error: ['Turn the fatal error in `{place}` into a diagnostic with a location.'],
  verifier_error: ['Build the operation with the types that its verifier asks for, where it is created.'],
  hang: ['Bound the iteration in `{place}`, or detect the cycle it follows.'],
  memory: ['Keep `{place}` from making new operations out of its own results.'],
}

type Rule = (clues: HypothesisClues) => Hypothesis | null

const RULES: readonly Rule[] = [
  assertionFails,
  verifierRejects,
  nothingConverts,
  givesUp,
  invalidIrLeft,
  usedAfterErase,
  diesInOwnCode,
  neverEnds,
  diagnosed,
  dependsOnPattern,
]

function assertionFails({ assertion, failingPass }: HypothesisClues): Hypothesis | null {
  if (assertion === null) return null
  return {
    description: `An invariant does not hold for this input: \`${assertion}\`.`,
    confidence: 'high',
    evidence: [`assertion: ${assertion}`, ...passEvidence(failingPass)],
  }
}

function verifierRejects({ kind, message, failingPass }: HypothesisClues): Hypothesis | null {
  const operation = /^'([\w.]+)' op /.exec(message ?? '')?.[1]
  if (kind !== 'verifier_error' || operation === undefined) return null
  const maker = failingPass === null ? 'the front end' : `the pass \`${failingPass}\``
  return {
    description: `A \`${operation}\` is built that its own verifier rejects; the source cannot ask for that, so ${maker} makes it wrong.`,
    confidence: 'high',
    evidence: [`verifier: ${message}`, ...passEvidence(failingPass)],
  }
}

function nothingConverts({ message, failingPass }: HypothesisClues): Hypothesis | null {
  const operation = /failed to legalize operation '([\w.]+)'/.exec(message ?? '')?.[1]
  if (operation === undefined) return null
  return {
    description: `No conversion pattern accepts this \`${operation}\`: the pattern is missing, or refuses its types.`,
    confidence: 'high',
    evidence: [`legalisation: ${message}`, ...passEvidence(failingPass)],
  }
}

function givesUp({ kind, message, ownFrames, failingPass }: HypothesisClues): Hypothesis | null {
  if (kind !== 'fatal_error' || message === null) return null
  return {
    description: `The compiler gives up (\`${message}\`) where it should explain what it cannot handle.`,
    confidence: 'medium',
    evidence: [`fatal error: ${message}`, ...frameEvidence(ownFrames), ...passEvidence(failingPass)],
  }
}

/** A pass hands on IR that the verifier then walks into. */
function invalidIrLeft({ kind, frames, failingPass }: HypothesisClues): Hypothesis | null {
  const verifier = frames.find((frame) => /::verif(?:y|ier)/.test(frame))
  if (kind !== 'crash' || verifier === undefined) return null
  return {
    description: `${passSubject(failingPass)} leaves IR behind that even the verifier dies on: an operand or a type is null, or an operation was erased while in use.`,
    confidence: failingPass === null ? 'low' : 'medium',
    evidence: [`frame: ${verifier}`, ...passEvidence(failingPass)],
  }
}

function usedAfterErase(clues: HypothesisClues): Hypothesis | null {
  const { kind, ownFrames, failingPass } = clues
  const isRewrite =
    /^(?:Canonicalizer|SymbolDCE|CSE|SCCP)/.test(failingPass ?? '') ||
    ownFrames.some((frame) => frame.endsWith('::canonicalize'))
  if (kind !== 'crash' || !isRewrite) return null
  return {
    description:
      'A rewrite pattern erases or replaces an operation that is still in use, as can happen when operations use each other in a loop.',
    confidence: loopEvidence(clues).length > 0 ? 'medium' : 'low',
    evidence: [...frameEvidence(ownFrames), ...passEvidence(failingPass), ...loopEvidence(clues)],
  }
}

/** What MLIR's innermost function tells is evidence; that something must have been null is none. */
function diesInOwnCode({ kind, frames, ownFrames, failingPass }: HypothesisClues): Hypothesis | null {
  const top = ownFrames[0]
  if (kind !== 'crash' || (top === undefined && failingPass === null)) return null
  const missing = missingThingOf(frames[0] ?? '')
  const where = top === undefined ? '' : ` in \`${top}\``
  return {
    description: `${passSubject(failingPass)} ${missing ?? 'uses something that this input does not have'}${where}.`,
    confidence: missing === null ? 'low' : 'medium',
    evidence: [...frameEvidence([...frames.slice(0, 1), ...ownFrames]), ...passEvidence(failingPass)],
  }
}

function neverEnds(clues: HypothesisClues): Hypothesis | null {
  const { kind, failingPass, ownFrames } = clues
  if (!isEndless(kind)) return null
  const { what, sign } = ENDLESS[kind === 'memory' && clues.signal !== null ? 'allocation' : kind]
  const limit = kind === 'runaway' && clues.message !== null ? `${sign}: ${clues.message}` : sign
  return {
    description: `${passSubject(failingPass)} ${what} on this input${loopEvidence(clues).length > 0 ? ', in which operations use each other in a loop' : ''}.`,
    confidence: failingPass === null ? 'low' : 'medium',
    evidence: [limit, ...passEvidence(failingPass), ...frameEvidence(ownFrames), ...loopEvidence(clues)],
  }
}

const ENDLESS = {
  hang: { what: 'never reaches a fixed point', sign: 'stopped at the time limit' },
  runaway: { what: 'has to be stopped', sign: 'stopped' },
  memory: { what: 'keeps making new operations', sign: 'stopped at the memory limit' },
  allocation: { what: 'asks for more memory than there is', sign: 'the tool itself gives up for want of memory' },
}

function diagnosed({ kind, message, failingPass }: HypothesisClues): Hypothesis | null {
  if (kind !== 'diagnostic') return null
  return {
    description: `The compiler rejects the source and says why: ${message ?? 'nothing'}.`,
    confidence: 'medium',
    evidence: [`diagnostic: ${message ?? ''}`, ...passEvidence(failingPass)],
  }
}

function dependsOnPattern({ problematicPatterns, kind }: HypothesisClues): Hypothesis | null {
  if (problematicPatterns.length === 0 || kind === 'none') return null
  return {
    description: `The trigger may be in the test case: ${problematicPatterns.join('; ')}.`,
    confidence: 'low',
    evidence: problematicPatterns.map((pattern) => `test case: ${pattern}`),
  }
}

function passSubject(pass: string | null): string {
  return pass === null ? 'The compiler' : `The pass \`${pass}\``
}

function passEvidence(pass: string | null): string[] {
  return pass === null ? [] : [`pass: ${pass}`]
}

function frameEvidence(frames: readonly string[]): string[] {
  return [...new Set(frames)].slice(0, 3).map((frame) => `frame: ${frame}`)
}

function loopEvidence({ problematicPatterns }: HypothesisClues): string[] {
  return problematicPatterns.filter((pattern) => pattern.includes('loop')).map((pattern) => `test case: ${pattern}`)
}
