import type { z } from 'zod'
import { parseContract } from '../contracts/parse.js'
import { findJsonComplaint } from '../rules/json-complaint.js'
import { mistake } from './cli-error.js'
import type { Context } from './command.js'
import { type InputOrder, readInput } from './read-input.js'

/**
 * The JSON document that was typed as FILE or comes on stdin, parsed against its contract, and its name for complaints. Throws `Failure`, one
 * line that names the field: for what `readInput` refuses, text that is no JSON (a key given twice and NaN among it), and what does not fit.
 */
export async function readJsonInput<T extends z.ZodType>(
  context: Context,
  order: InputOrder,
  contract: T,
): Promise<{ name: string; document: z.infer<T> }> {
  const { name, text } = await readInput(context, order)
  return { name, document: parseContract(contract, parseDocument(text, name), name) }
}

function parseDocument(text: string, name: string): unknown {
  if (text.trim() === '') throw mistake(name, 'one JSON document', 'nothing')
  const complaint = findJsonComplaint(text)
  if (complaint !== null)
    throw mistake(`${name}: ${complaint.field || '(document)'}`, complaint.expected, complaint.came)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw mistake(name, 'one JSON document', `text that is none: ${error.message}`)
  }
}
