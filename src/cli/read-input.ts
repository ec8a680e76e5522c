import { basename, resolve } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { readBounded } from '../tools/folder/read-bounded.js'
import { Interrupted, mistake } from './cli-error.js'
import type { Context } from './command.js'

export interface InputOrder {
  /** What was typed: a file's name, '-', or nothing. */
  given: string | undefined
  /** What one pipes in when no file is named: 'a JSON document'. */
  what: string
  maxBytes: number
  /** What names the file: '--patch' (default: 'FILE'). */
  option?: string
  stdin?: Readable & { isTTY?: boolean }
}

/**
 * The text of a file, or of stdin for `-` and where nothing is named. UTF-8; a byte order mark is left out. Throws `Failure`, one line,
 * when there is no such file, it is too large or no text, and `Interrupted` on Ctrl-C.
 */
export async function readInput(context: Context, order: InputOrder): Promise<{ name: string; text: string }> {
  const { given = '-', maxBytes, option = 'FILE' } = order
  if (given === '-') return { name: 'stdin', text: textOf(await readStdin(context.signal, order), 'stdin') }
  const name = basename(given)
  const content = await readBounded(resolve(context.cwd, given), maxBytes, `${option} ${name}`)
  return { name, text: textOf(content, name) }
}

async function readStdin(signal: AbortSignal, order: InputOrder): Promise<Buffer> {
  const { given, what, maxBytes, stdin = process.stdin } = order
  if (given === undefined && stdin.isTTY === true) throw mistake('FILE', `a file, or ${what} on stdin`, 'nothing')
  const chunks: Buffer[] = []
  let total = 0
  try {
    for await (const chunk of addAbortSignal(signal, stdin)) {
      const bytes = Buffer.from(chunk as Uint8Array | string)
      total += bytes.length
      if (total > maxBytes) throw mistake('stdin', `at most ${maxBytes} bytes`, 'more')
      chunks.push(bytes)
    }
  } catch (error) {
    if (signal.aborted) throw new Interrupted('interrupted while reading stdin; nothing was done')
    throw error
  }
  return Buffer.concat(chunks)
}

function textOf(content: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch (error) {
    if (error instanceof TypeError) throw mistake(name, 'UTF-8 text', 'bytes that are none')
    throw error
  }
}
