import type { CirctTool } from '../../contracts/circt.js'

/**
 * Flags that make MLIR name the failing pass and write a reproducer. With them a crash ends as exit code 1 ("Failures have been detected …").
 * `isLocal` writes the IR from before the failing pass alone (every pass is preceded by a copy of the IR: about twice as slow on a large
 * input); otherwise the pass is named at the cost of one copy. The local form refuses to run with threads, and so both run without.
 */
export function reproducerArgs(file: string, isLocal: boolean): string[] {
  const args = ['--mlir-disable-threading', `--mlir-pass-pipeline-crash-reproducer=${file}`]
  return isLocal ? [...args, '--mlir-pass-pipeline-local-reproducer'] : args
}

/** Tools that run MLIR passes and take these flags; the others answer "Unknown command line argument". */
export function supportsReproducer(tool: CirctTool): boolean {
  return TOOLS.has(tool)
}

const TOOLS = new Set<CirctTool>([
  'firtool',
  'circt-opt',
  'circt-verilog',
  'circt-synth',
  'circt-bmc',
  'circt-lec',
  'arcilator',
  'hlstool',
  'ibistool',
  'kanagawatool',
])
