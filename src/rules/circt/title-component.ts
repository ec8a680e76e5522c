import { DIALECTS } from './dialects.js'

/** As the project's own issues spell it: the dialect, or the tool when no dialect is known. */
export function componentOf(dialect: string | null, tool: string): string {
  if (dialect === null || dialect === '') return tool
  return dialectNames[dialect.toLowerCase()] ?? dialect
}

/** The front end for SystemVerilog has issues of its own, and no dialect. */
const dialectNames: Readonly<Record<string, string>> = { ...DIALECTS, importverilog: 'ImportVerilog' }
