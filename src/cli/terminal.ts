import { createInterface } from 'node:readline/promises'
import picocolors from 'picocolors'
import type { Env } from '../tools/state-home.js'

/** The two streams and the person at the keyboard. Results go to stdout, all else to stderr. */
export interface Terminal {
  isJson: boolean
  /** True when a person looks at the progress: stderr is a terminal and nobody asked for JSON. */
  isLive: boolean
  /** True when questions can be asked: a person looks, and there is a keyboard. */
  canAsk: boolean
  /** Columns of stderr. */
  width(): number
  colors: Colors
  /** A result, to stdout. */
  out(text: string): void
  /** Progress, to stderr; nothing with --json. */
  note(line: string): void
  /** Redraws the lines at the bottom of the screen; only where `isLive`. The last ones stay. */
  draw(lines: readonly string[], isLast?: boolean): void
  /** Asks one line; null when the signal ended it or the keyboard was closed. */
  ask(prompt: string, signal: AbortSignal): Promise<string | null>
}

export type Colors = ReturnType<typeof picocolors.createColors>

export interface Streams {
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
}

export function openTerminal({ stdin, stdout, stderr }: Streams, env: Env, isJson: boolean): Terminal {
  const isLive = !isJson && stderr.isTTY && env['TERM'] !== 'dumb'
  let drawn = 0
  const erase = () => {
    if (drawn > 0) stderr.write(`\r\u001b[${drawn}A\u001b[0J`)
    drawn = 0
  }
  return {
    isJson,
    isLive,
    canAsk: isLive && stdin.isTTY,
    width: () => Math.max(20, stderr.columns ?? 80),
    colors: picocolors.createColors(isLive && !isSet(env['NO_COLOR'])),
    out: (text) => {
      erase()
      stdout.write(text)
    },
    note: (line) => {
      if (isJson) return
      erase()
      stderr.write(`${line}\n`)
    },
    draw: (lines, isLast = false) => {
      if (!isLive) return
      erase()
      stderr.write(lines.map((line) => `${line}\n`).join(''))
      drawn = isLast ? 0 : lines.length
    },
    ask: async (prompt, signal) => {
      erase()
      return await askLine({ input: stdin, output: stderr }, prompt, signal)
    },
  }
}

/** no-color.org: present and not empty. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

async function askLine(
  streams: { input: NodeJS.ReadStream; output: NodeJS.WriteStream },
  prompt: string,
  signal: AbortSignal,
): Promise<string | null> {
  const reader = createInterface({ ...streams, terminal: true })
  // In raw mode Ctrl-C is a key: hand it to whoever listens for the signal.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)))
  try {
    return await Promise.race([reader.question(prompt, { signal }), closed])
  } catch (error) {
    if (signal.aborted) return null
    throw error
  } finally {
    reader.close()
  }
}
