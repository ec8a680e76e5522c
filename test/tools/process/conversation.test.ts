import { describe, expect, it } from 'vitest'
import { megabyte, modes, node, processesNaming, shell, sleeperSeconds } from './orders.js'

describe.each(modes)('a program spoken with $mode', ({ isThere, run }) => {
  describe.skipIf(!isThere)('while it runs', () => {
    it('answers what it is asked, piece by piece', async () => {
      const said: string[] = []
      const heard = pieces()
      async function* questions(): AsyncGenerator<string> {
        for (const word of ['one', 'two', 'three']) {
          yield `${word}\n`
          said.push(await heard.next())
        }
      }
      const outcome = await run(
        shell('while read word; do echo "got $word"; done', { stdin: questions(), onOutput: heard.push }),
      )
      expect(said).toEqual(['stdout: got one\n', 'stdout: got two\n', 'stdout: got three\n'])
      expect(outcome).toMatchObject({ exitCode: 0, stopped: null, stdout: 'got one\ngot two\ngot three\n' })
    })

    it('tells its two streams apart', async () => {
      const heard: string[] = []
      await run(shell('echo wrong >&2', { onOutput: (chunk, stream) => heard.push(`${stream}: ${String(chunk)}`) }))
      expect(heard).toEqual(['stderr: wrong\n'])
    })

    it('is killed with its whole tree when the conversation is broken off', async () => {
      const seconds = sleeperSeconds()
      const stop = new AbortController()
      const order = shell(`sleep ${seconds} & echo ready; sleep ${seconds}`, {
        stdin: silence(),
        onOutput: () => stop.abort(),
        signal: stop.signal,
      })
      expect(await run(order)).toMatchObject({ stopped: 'cancelled', stdout: 'ready\n' })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('may end without listening to the end', async () => {
      async function* endless(): AsyncGenerator<string> {
        for (;;) yield 'x'.repeat(65_536)
      }
      expect(await run(shell('exit 3', { stdin: endless() }))).toMatchObject({ exitCode: 3 })
    })

    it('has its output bounded though every piece of it was listened to', async () => {
      let heard = 0
      const flood = node("const b = Buffer.alloc(65536, 'x'); const go = () => process.stdout.write(b, go); go()", {
        stdin: silence(),
        onOutput: (chunk) => void (heard += chunk.length),
        limits: { outputBytes: 4 * megabyte },
      })
      expect(await run(flood)).toMatchObject({ stopped: 'output' })
      expect(heard).toBeGreaterThan(4 * megabyte)
    })

    it('is heard no more when the words to say cannot be found', async () => {
      async function* broken(): AsyncGenerator<string> {
        yield 'first\n'
        throw new Error('lost')
      }
      expect(await run(shell('cat', { stdin: broken() }))).toMatchObject({ stdout: 'first\n', exitCode: 0 })
    })
  })
})

async function* silence(): AsyncGenerator<string> {
  await new Promise(() => {})
  yield ''
}

/** What was heard, one piece after the other. */
function pieces() {
  const waiting: ((piece: string) => void)[] = []
  return {
    next: () => new Promise<string>((resolve) => waiting.push(resolve)),
    push: (chunk: Uint8Array, stream: string) => waiting.shift()?.(`${stream}: ${String(chunk)}`),
  }
}
