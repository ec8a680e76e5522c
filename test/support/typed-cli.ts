import { PassThrough } from 'node:stream'
import { runCli } from '../../src/cli/run-cli.js'
import type { Streams } from '../../src/cli/terminal.js'
import type { Env } from '../../src/tools/state-home.js'

export interface Typed {
  exit: number
  stdout: string
  stderr: string
}

export interface TypedOptions {
  home: string
  cwd?: string
  env?: Env
}

/** Types one command line with nobody at a terminal, and waits for its end. */
export async function typed(argv: readonly string[], { home, cwd = home, env = {} }: TypedOptions): Promise<Typed> {
  const stdout = collected()
  const stderr = collected()
  const exit = await runCli(argv, {
    streams: fakeStreams(stdout.stream, stderr.stream),
    env: { PATH: process.env['PATH'], GAUNTLET_HOME: home, ...env },
    cwd,
    signal: new AbortController().signal,
  })
  return { exit, stdout: stdout.text(), stderr: stderr.text() }
}

export function collected(): { stream: PassThrough; text(): string } {
  const stream = new PassThrough()
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
  return { stream, text: () => text }
}

/** Streams that are no terminals unless `parts` says so; a cast, since the code asks only for what a pass-through has. */
export function fakeStreams(stdout: PassThrough, stderr: PassThrough, parts: object = {}): Streams {
  const stdin = Object.assign(new PassThrough(), parts)
  return { stdin, stdout, stderr: Object.assign(stderr, parts) } as unknown as Streams
}
