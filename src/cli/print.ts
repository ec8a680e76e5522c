import type { CliError } from './cli-error.js'
import type { Output } from './command.js'
import type { Terminal } from './terminal.js'

/** The one place that prints results: JSON is exactly one document, text is what a person reads. */
export function printOutput(terminal: Terminal, { json, text }: Output): void {
  if (terminal.isJson) terminal.out(`${JSON.stringify(json, null, 2)}\n`)
  else if (text !== '') terminal.out(`${text}\n`)
}

export function printError(terminal: Terminal, { type, message }: CliError): void {
  if (terminal.isJson) terminal.out(`${JSON.stringify({ error: { type, message } }, null, 2)}\n`)
  else terminal.note(`gauntlet: ${message}`)
}

/** Rows as columns, two blanks apart; the last column keeps its length. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>((found, row) => row.map((cell, at) => Math.max(found[at] ?? 0, cell.length)), [])
  return rows
    .map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}
