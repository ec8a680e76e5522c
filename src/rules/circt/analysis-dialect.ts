import type { SourceLanguage } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'

export interface DialectClues {
  signature: CrashSignature | null
  failingPass: string | null
  /** Argument of the failing pass in the reproducer's pipeline, e.g. 'llhd-sig2reg'. */
  passArgument: string | null
  /** Meaningful frames, innermost first. */
  frames: readonly string[]
  /** Operations of the source or the reproducer, the rarest first. */
  operations: readonly string[]
  language: SourceLanguage
}

/**
 * The CIRCT dialect a failure belongs to, lower case as its namespace; null when nothing tells. The first clue that knows one wins: the operation
 * a verifier names, the pass, its argument, CIRCT's own frames (a pass of one dialect may die in another's code), the operations at hand, the
 * front end of the language.
 */
export function dialectOf(clues: DialectClues): string | null {
  return (
    fromMessage(clues.signature?.message ?? null) ??
    fromPass(clues.failingPass) ??
    fromArgument(clues.passArgument) ??
    firstOf(clues.frames.map(fromFrame)) ??
    fromOperations(clues.operations) ??
    { sv: 'moore', fir: 'firrtl', mlir: null }[clues.language]
  )
}

/** Namespace or word in a pass's name → dialect. */
const DIALECTS = [
  'firrtl',
  'chirrtl',
  'moore',
  'llhd',
  'calyx',
  'handshake',
  'arc',
  'comb',
  'seq',
  'esi',
  'fsm',
  'om',
  'ltl',
  'verif',
  'sim',
  'smt',
  'rtg',
  'synth',
  'aig',
  'datapath',
  'ssp',
  'pipeline',
  'loopschedule',
  'emit',
  'dbg',
  'dc',
  'kanagawa',
  'msft',
  'systemc',
  'interop',
  'sv',
  'hw',
] as const

const ALIASES: Readonly<Record<string, string>> = {
  chirrtl: 'firrtl',
  scftocalyx: 'calyx',
  ImportVerilog: 'moore',
  ExportVerilog: 'sv',
  firtool: 'firrtl',
  debug: 'dbg',
}

function known(name: string): string | null {
  const dialect = ALIASES[name] ?? name
  return DIALECTS.some((each) => each === dialect) ? dialect : null
}

function fromMessage(message: string | null): string | null {
  return known(/['"]!?([a-z]\w{0,30})\.[a-z]/.exec(message ?? '')?.[1] ?? '')
}

function fromFrame(frame: string): string | null {
  return known(/^circt::(\w{1,40})::/.exec(frame)?.[1] ?? '')
}

/** Words of pass names in the order of trust: `LowerFIRRTLToHW` is FIRRTL's, since the pass reads FIRRTL. */
const PASS_WORDS: readonly (readonly [words: RegExp, dialect: string])[] = [
  [
    /CHIRRTL|FIRRTL|SFCCompat|ExpandWhens|InferWidths|InferResets|InferReadWrite|LowerTypes|LowerLayers|IMConst|IMDead|Dedup|CheckCombLoops|GrandCentral|LowerXMR|LowerAnnotations|LowerOpenAggs|LowerMatches|DropName|BlackBoxReader|CreateSiFive|VBToBV/i,
    'firrtl',
  ],
  [/Moore/i, 'moore'],
  [/LLHD|Sig2Reg|Deseq|HoistSignals|TemporalCode|InlineCalls|LowerProcesses|UnrollLoops/i, 'llhd'],
  [/Calyx/i, 'calyx'],
  [/Handshake/i, 'handshake'],
  [
    /^(?:Arc|InferMemories|InferStateProp|LowerState|LowerLUT|SplitFuncs|AllocateState|LatencyRetiming)|ToArc|Arcs/i,
    'arc',
  ],
  [/PrettifyVerilog|ExportVerilog|ExportSplitVerilog|HWCleanup|HWExportModule|HWLegalizeModules|SVExtract|ToSV$/, 'sv'],
  [/^LowerSim|^Sim/, 'sim'],
  [/Comb/, 'comb'],
  [/Seq|FirMem|FirReg|CompReg/, 'seq'],
  [/^(?:HW|Flatten)/, 'hw'],
  [/FSM/, 'fsm'],
  [/ESI/, 'esi'],
  [/Verif/, 'verif'],
  [/SMT/, 'smt'],
]

function fromPass(pass: string | null): string | null {
  if (pass === null) return null
  const converted = /^(?:Convert|Lower)?([A-Z]\w{0,30}?)To[A-Z]/.exec(pass)?.[1]?.toLowerCase()
  if (converted !== undefined && known(converted) !== null) return known(converted)
  return PASS_WORDS.find(([words]) => words.test(pass))?.[1] ?? null
}

function fromArgument(argument: string | null): string | null {
  return firstOf((argument ?? '').split(/[-_]/).map(known))
}

/** Of the dialects at hand the one with most different operations, but for those every module has. */
function fromOperations(operations: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const operation of operations) {
    const dialect = known(operation.slice(0, operation.indexOf('.')))
    if (dialect !== null && dialect !== 'hw') counts.set(dialect, (counts.get(dialect) ?? 0) + 1)
  }
  return (
    [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? (operations.some((name) => name.startsWith('hw.')) ? 'hw' : null)
  )
}

function firstOf(found: readonly (string | null)[]): string | null {
  return found.find((each) => each !== null) ?? null
}
