import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ensureTemporalCli } from '../../src/tools/download/temporal-cli.js'
import { connectClient } from '../../src/workers/connection.js'
import { stopServer, trimLog } from '../../src/workers/server-process.js'
import { isServerAlive, readServerRecord, serverPaths } from '../../src/workers/server-record.js'
import { describeServer, ensureServer, type Server, type ServerOptions } from '../../src/workers/server.js'
import { compileForChildren, type Compiled } from '../support/compiled.js'
import { testCache } from '../support/temporal.js'

const scratch = mkdtempSync(join(tmpdir(), 'server-'))
let compiled: Compiled
let home: string
let lines: string[]

beforeAll(async () => {
  compiled = compileForChildren(['workers/server'])
  await ensureTemporalCli({ cache: testCache(), env: process.env, progress: () => {} })
}, 180_000)
afterEach(() => stopServer(home))
afterAll(() => {
  compiled.remove()
  rmSync(scratch, { recursive: true })
})

function freshHome(): void {
  home = mkdtempSync(join(scratch, 'home-'))
  lines = []
}

/** No Temporal configuration of the developer's own leaks in. */
function testEnv(extra: Record<string, string> = {}) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'))
  return { ...Object.fromEntries(own), XDG_CONFIG_HOME: scratch, GAUNTLET_CACHE: testCache(), ...extra }
}

function ensure(extra: Partial<ServerOptions> = {}): Promise<Server> {
  return ensureServer({ home, env: testEnv(), progress: (line) => lines.push(line), ...extra })
}

/** Another process that ensures the server, says its address and then holds its lease until it is killed. */
function otherHolder(): { child: ChildProcess; address: Promise<string> } {
  const code = `
    import { ensureServer } from ${JSON.stringify(compiled.fileOf('workers/server'))}
    const progress = (line) => console.error(line)
    const server = await ensureServer({ home: ${JSON.stringify(home)}, env: process.env, progress })
    console.log(server.address)
    setInterval(() => {}, 1000)`
  const argv = ['--input-type=module', '-e', code]
  const child = spawn(process.execPath, argv, { env: testEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
  child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString().trim()))
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', () => reject(new Error(`ended early: ${lines.join('\n')}`)))
  })
  return { child, address }
}

async function killed(child: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await end
}

function isRunning(): boolean {
  return isServerAlive(readServerRecord(home))
}

describe('the embedded server', () => {
  test('takes other ports when somebody took the ones it had found free', async () => {
    freshHome()
    const { path } = await ensureTemporalCli({ cache: testCache(), env: process.env, progress: () => {} })
    const folder = mkdtempSync(join(scratch, 'path-'))
    // A real server whose first start loses its port.
    const script = `if [ "$1" = server ] && [ ! -e ${folder}/lost ]; then
      touch ${folder}/lost; echo 'listen tcp 127.0.0.1:1: bind: address already in use' >&2; exit 1; fi
      exec ${path} "$@"`
    writeFileSync(join(folder, 'temporal'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const server = await ensure({ env: testEnv({ PATH: `${folder}:${process.env['PATH']}` }) })
    expect(readdirSync(folder)).toContain('lost')
    expect(isRunning()).toBe(true)
    await server.release()
  })

  test('starts with nothing configured, keeps runs for a year, and is stopped by the last one out', async () => {
    freshHome()
    const first = await ensure()
    const second = await ensure()
    expect(second.address).toBe(first.address)
    expect(first).toMatchObject({ isEmbedded: true, namespace: 'default' })
    expect((await fetch(first.uiUrl ?? '')).status).toBe(200)
    const client = await connectClient(first)
    const { config } = await client.connection.workflowService.describeNamespace({ namespace: 'default' })
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(365 * 24 * 3600)
    await client.connection.close()
    await first.release()
    await first.release()
    expect(isRunning()).toBe(true)
    expect(await describeServer({ home, env: testEnv() })).toMatchObject({ isAnswering: true })
    await second.release()
    expect(isRunning()).toBe(false)
    expect(await describeServer({ home, env: testEnv() })).toBeNull()
  })

  test('killed and started again it has the same address, and its runs are still there', async () => {
    freshHome()
    const before = await ensure()
    const client = await connectClient(before)
    await client.workflow.start('anything', { workflowId: 'kept', taskQueue: 'nobody' })
    await client.connection.close()
    process.kill(readServerRecord(home)?.owner?.pid ?? 0, 'SIGKILL')
    const after = await ensure()
    expect(after.address).toBe(before.address)
    expect(after.uiUrl).toBe(before.uiUrl)
    const again = await connectClient(after)
    expect((await again.workflow.getHandle('kept').describe()).status.name).toBe('RUNNING')
    await again.connection.close()
    await before.release()
    await after.release()
    expect(isRunning()).toBe(false)
  })

  test('two processes that start at once share one server; the second says that it waits', async () => {
    freshHome()
    const [one, two] = [otherHolder(), otherHolder()]
    expect(await one.address).toBe(await two.address)
    expect(lines.filter((line) => line.includes('waiting for process'))).toHaveLength(1)
    expect(readdirSync(serverPaths(home).leases)).toHaveLength(2)
    await Promise.all([killed(one.child), killed(two.child)])
    expect(isRunning()).toBe(true)
    // Their leases died with them: we are the last one out.
    await (await ensure()).release()
    expect(isRunning()).toBe(false)
    expect(readdirSync(serverPaths(home).leases)).toEqual([])
  })

  test('another program on its ports moves it to others', async () => {
    freshHome()
    await (await ensure()).release()
    const record = readServerRecord(home)
    const { createServer } = await import('node:net')
    const squatter = createServer().listen(record?.port, '127.0.0.1')
    await new Promise((resolve) => squatter.once('listening', resolve))
    const server = await ensure()
    expect(server.address).not.toBe(`127.0.0.1:${record?.port}`)
    await server.release()
    squatter.close()
  })

  test.runIf(process.platform === 'linux')('gets the pragmas that lose nothing, and none of our secrets', async () => {
    freshHome()
    const server = await ensure({ sync: 'full', env: testEnv({ GITHUB_TOKEN: 'secret-token' }) })
    const pid = readServerRecord(home)?.owner?.pid
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    expect(argv).toEqual(
      expect.arrayContaining(['journal_mode=WAL', 'synchronous=FULL', '127.0.0.1', 'GauntletWaiting=Bool']),
    )
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('secret-token')
    await server.release()
  })

  test('a server that ends at once is reported with the last line of its log', async () => {
    freshHome()
    const bin = mkdtempSync(join(scratch, 'bin-'))
    const flags = '--db-filename --sqlite-pragma --dynamic-config-value --search-attribute --ui-port'
    const script = `#!/bin/sh\ncase "$*" in --version) echo "temporal version 9 (Server 1.99.0)";; *--help) echo "${flags}";;\n*) echo the disk is on fire; exit 1;; esac\n`
    writeFileSync(join(bin, 'temporal'), script, { mode: 0o755 })
    const failure = ensure({ env: testEnv({ PATH: `${bin}:/usr/bin:/bin` }) })
    await expect(failure).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: 'the Temporal server ended at once; its log ends: the disk is on fire',
    })
    expect(readdirSync(serverPaths(home).leases)).toEqual([])
  })

  test('its log is cut when it has grown too long', () => {
    freshHome()
    const log = join(home, 'log')
    writeFileSync(log, 'x'.repeat(4_000_000))
    trimLog(log)
    expect(statSync(log).size).toBe(4_000_000)
    writeFileSync(log, 'x'.repeat(4_000_001))
    trimLog(log)
    expect(statSync(log).size).toBe(0)
  })
})

describe('a configured server', () => {
  test('is used instead, by address or by profile, and is never stopped', async () => {
    freshHome()
    const embedded = await ensure()
    const byAddress = await ensure({
      env: testEnv({ TEMPORAL_ADDRESS: embedded.address, TEMPORAL_NAMESPACE: 'default' }),
    })
    expect(byAddress).toMatchObject({ address: embedded.address, isEmbedded: false, uiUrl: null, namespace: 'default' })
    const file = join(home, 'temporal.toml')
    writeFileSync(file, `[profile.mine]\naddress = "${embedded.address}"\nnamespace = "theirs"\n`)
    const byProfile = await ensure({ env: testEnv({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'mine' }) })
    expect(byProfile).toMatchObject({ address: embedded.address, namespace: 'theirs', isEmbedded: false })
    await byAddress.release()
    await byProfile.release()
    expect(isRunning()).toBe(true)
    await embedded.release()
  })

  test('that does not answer is an error, not a reason to start another', async () => {
    freshHome()
    const failure = ensure({ env: testEnv({ TEMPORAL_ADDRESS: '127.0.0.1:1' }) })
    await expect(failure).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: 'no Temporal server answers at 127.0.0.1:1 (from the Temporal configuration)',
    })
    expect(isRunning()).toBe(false)
  })

  test('of a profile that is not there is the user’s mistake', async () => {
    freshHome()
    const failure = ensure({ env: testEnv({ TEMPORAL_PROFILE: 'nowhere' }) })
    await expect(failure).rejects.toMatchObject({ type: 'Contract.Violated' })
  })
})
