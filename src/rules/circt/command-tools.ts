import type { CirctTool } from '../../contracts/circt.js'

/** The contract's `CirctTool`, as a table that runs anywhere; the compiler checks that none is missing. */
const TOOLS = {
  firtool: true,
  'circt-opt': true,
  'circt-verilog': true,
  'circt-reduce': true,
  'circt-translate': true,
  'circt-synth': true,
  'circt-test': true,
  'circt-bmc': true,
  'circt-lec': true,
  'circt-lsp-server': true,
  'circt-verilog-lsp-server': true,
  arcilator: true,
  domaintool: true,
  'om-linker': true,
  hlstool: true,
  ibistool: true,
  kanagawatool: true,
  'handshake-runner': true,
} as const satisfies Record<CirctTool, true>

export const CIRCT_TOOL_NAMES: readonly CirctTool[] = Object.keys(TOOLS).filter((name) => isCirctTool(name))

export function isCirctTool(name: string): name is CirctTool {
  return Object.hasOwn(TOOLS, name)
}
