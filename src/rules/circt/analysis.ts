import type { AnalysisFile } from '../../contracts/circt-files.js'
import type { SourceLanguage } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { dialectOf } from './analysis-dialect.js'
import { hypothesesOf, type HypothesisClues } from './analysis-hypotheses.js'
import { keywordsOf } from './analysis-keywords.js'
import { guessSources } from './analysis-sources.js'
import { constructsOf, operationsOf } from './constructs.js'
import type { ErrorText } from './error-text.js'
import { meaningfulFramesOf, passClassOf } from './signature-frames.js'

export interface AnalysisFacts {
  language: SourceLanguage
  source: string
  /** What the analysis's own run printed, else error.txt. */
  text: ErrorText
  signature: CrashSignature | null
  /** Demangled functions, innermost first, noise included. */
  stack: readonly string[]
  /** MLIR from before the failing pass, or null. */
  reproducer: string | null
  /** Pass of a run that did not come to an end, or null. */
  hangingPass: string | null
  /** Places in a CIRCT checkout; empty without one. */
  found: AnalysisFile['suggested_sources']
  isDegraded: boolean
}

/** The root cause as far as rules can tell it (pipelines.md circt 4), in the shape of analysis.json. */
export function analyse(facts: AnalysisFacts): AnalysisFile {
  const { signature, text, language } = facts
  const frames = meaningfulFramesOf(facts.stack)
  const failingPass = signature?.failing_pass ?? facts.hangingPass ?? passClassOf(facts.stack)
  const constructs = constructsOf(language, facts.source, hintsOf(facts))
  const argument = passArgumentOf(facts.reproducer)
  const operations = operationsOf(facts.reproducer ?? (language === 'mlir' ? facts.source : ''))
  const dialect = dialectOf({ signature, failingPass, passArgument: argument, frames, operations, language })
  const assertion = text.assertion?.message ?? null
  const clues = cluesOf(facts, { failingPass, frames, assertion, ...constructs })
  const guesses = guessSources({
    failingPass,
    dialect,
    frames,
    files: text.stack.flatMap(({ file }) => file ?? []),
    language,
  })
  return {
    version: '2.0',
    analysis_type: facts.isDegraded ? 'fallback' : 'rules',
    degraded: facts.isDegraded,
    dialect,
    failing_pass: failingPass,
    crash_type: crashTypeOf(signature),
    assertion_message: assertion,
    crash_location: crashLocationOf(facts, frames),
    frames: frames.slice(0, 15),
    test_case: {
      language,
      key_constructs: constructs.keyConstructs,
      problematic_patterns: constructs.problematicPatterns,
    },
    hypotheses: hypothesesOf(clues),
    keywords: keywordsOf({ ...clues, dialect, passArgument: argument }),
    suggested_sources: facts.found.length > 0 ? facts.found : guesses,
    signature,
  }
}

export function cluesOf(
  facts: Pick<AnalysisFacts, 'signature'>,
  found: Pick<HypothesisClues, 'failingPass' | 'frames' | 'assertion' | 'keyConstructs' | 'problematicPatterns'>,
): HypothesisClues {
  const { signature } = facts
  return {
    kind: signature?.kind ?? 'none',
    signal: signature?.signal ?? null,
    message: signature?.message ?? null,
    ownFrames: signature?.frames ?? [],
    ...found,
  }
}

/** Argument of the innermost pass in a reproducer's pipeline: `builtin.module(firrtl.circuit(firrtl-sfc-compat{x=1}))` → 'firrtl-sfc-compat'. */
export function passArgumentOf(reproducer: string | null): string | null {
  const pipeline = /pipeline: "([^"\n]{1,20000})"/.exec(reproducer?.slice(-30_000) ?? '')?.[1] ?? ''
  const innermost = pipeline.slice(pipeline.lastIndexOf('(') + 1)
  return /^([\w-]{1,100})/.exec(innermost)?.[1] ?? null
}

function crashTypeOf(signature: CrashSignature | null): string {
  if (signature === null) return 'unknown'
  if (signature.kind === 'crash') return signature.signal === 'SIGABRT' ? 'abort' : 'segfault'
  return signature.kind === 'fatal_error' ? 'llvm_error' : signature.kind
}

type Location = AnalysisFile['crash_location']

/** The compiler's own line where one is printed; for a diagnostic the line of the source it points at. */
function crashLocationOf(facts: AnalysisFacts, frames: readonly string[]): Location {
  const { assertion } = facts.text
  if (assertion === null) return diagnosedLocation(facts) ?? stackLocation(facts, frames)
  return { file: withinProject(assertion.file), line: assertion.line, function: assertion.function }
}

function diagnosedLocation({ text, signature }: AnalysisFacts): Location | null {
  if (signature?.kind !== 'diagnostic' && signature?.kind !== 'verifier_error') return null
  const error = text.diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  return { file: error?.file?.split('/').at(-1) ?? null, line: error?.line ?? null, function: null }
}

function stackLocation({ text, signature }: AnalysisFacts, frames: readonly string[]): Location {
  const own = text.stack.find(({ file, function: name }) => file !== null && meaningfulFramesOf([name]).length > 0)
  const name = signature?.frames[0] ?? frames[0] ?? null
  return { file: withinProject(own?.file ?? null), line: own?.line ?? null, function: name }
}

/** `/build/circt/lib/Dialect/X.cpp` → `lib/Dialect/X.cpp`; anything else keeps its last name only. */
function withinProject(path: string | null): string | null {
  if (path === null) return null
  return /(?:^|\/)((?:lib|include|tools|mlir|llvm)\/[\w./+-]{1,300})$/.exec(path)?.[1] ?? path.split('/').at(-1) ?? path
}

/** Words of the failure that may name constructs: messages, notes, and the source line a diagnostic points at. */
function hintsOf({ text, source }: AnalysisFacts): string[] {
  const lines = source.slice(0, 1_000_000).split('\n')
  const errors = text.diagnostics.filter((diagnostic) => diagnostic.severity !== 'warning').slice(0, 5)
  return errors.flatMap(({ message, line }) => [message, line === null ? '' : (lines[line - 1]?.slice(0, 500) ?? '')])
}
