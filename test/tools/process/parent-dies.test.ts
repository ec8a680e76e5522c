import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { limitsArgv } from '../../../src/tools/process/limits-argv.js'
import { sandboxArgv } from '../../../src/tools/process/sandbox-argv.js'
import { order, processesNaming, sandbox, sleeperSeconds } from './orders.js'

const starter = fileURLToPath(new URL('parent-dies.mjs', import.meta.url))

async function remainsAfterKill(argv: string[], seconds: string): Promise<string[]> {
  const parent = spawn(process.execPath, [starter, JSON.stringify(argv)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  expect(processesNaming(seconds).length).toBeGreaterThan(0)
  parent.kill('SIGKILL')
  const deadline = Date.now() + 2000
  while (processesNaming(seconds).length > 0 && Date.now() < deadline) await delay(20)
  return processesNaming(seconds)
}

it.skipIf(sandbox.kind === 'none')('a sandboxed tree dies with us, its daemons too', async () => {
  if (sandbox.kind === 'none') return
  const seconds = sleeperSeconds()
  const script = `(setsid sleep ${seconds} &); echo up; exec sleep ${seconds}`
  const sandboxed = order(['/bin/sh', '-c', script], { env: { PATH: '/usr/bin:/bin' } })
  const argv = sandboxArgv({ bwrap: sandbox.path }, sandboxed, '/bin/sh')
  expect(await remainsAfterKill(argv, seconds)).toEqual([])
})

it.skipIf(!existsSync('/usr/bin/setpriv'))('without a sandbox the program itself dies with us', async () => {
  const seconds = sleeperSeconds()
  const bare = order(['/bin/sh', '-c', `echo up; exec /bin/sleep ${seconds}`])
  expect(await remainsAfterKill([...limitsArgv(bare.limits, false), ...bare.argv], seconds)).toEqual([])
})
