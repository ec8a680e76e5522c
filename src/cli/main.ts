import { describeError } from './cli-error.js'
import { runCli } from './run-cli.js'

/** Entry of `bin/gauntlet`. */
export async function main(): Promise<void> {
  const { stdin, stdout, stderr } = process
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  const interrupt = new AbortController()
  const onSignal = () => {
    // A second one does not wait for anything.
    if (interrupt.signal.aborted) process.exit(130)
    interrupt.abort()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
  const exit = await runCli(process.argv.slice(2), {
    streams: { stdin, stdout, stderr },
    env: process.env,
    cwd: process.cwd(),
    signal: interrupt.signal,
  })
  // Whatever is still open (a pooled socket, a native thread) must not keep the command from ending.
  await drained(stdout)
  process.exit(exit)
}

/** `gauntlet list | head` closes the pipe early, and that is no error. */
function ignoreClosedPipe(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') return
  process.exitCode = describeError(error).exit
}

/** Output to a pipe is written behind our back: exit only when it is out. */
async function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0 || stream.destroyed) return
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
}
