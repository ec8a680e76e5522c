import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunner } from '../../../src/tools/process/runner.js'
import { freshFolder, megabyte, modes, node, order, processesNaming, sandbox, shell, sleeperSeconds } from './orders.js'

const run = modes[1]?.run ?? createRunner({ sandbox: 'none' })

describe.skipIf(sandbox.kind === 'none')('the sandbox', () => {
  it('says that it is one', async () => {
    expect((await run(shell('true'))).isSandboxed).toBe(true)
  })

  it.each([
    join(homedir(), 'gauntlet-was-here'),
    '/gauntlet-was-here',
    '/usr/gauntlet-was-here',
    '/etc/gauntlet-was-here',
    '/home/somebody/gauntlet-was-here',
    '/dev/gauntlet-was-here',
  ])('refuses to write %s and says so', async (path) => {
    const outcome = await run(shell(`echo x > '${path}'`))
    expect(outcome.exitCode).not.toBe(0)
    expect(outcome.refused).toEqual(['write_outside'])
    expect(existsSync(path)).toBe(false)
  })

  it.each([false, true])(
    'refuses to change a setting of the kernel, though root runs it (tracing: %s)',
    async (mayTrace) => {
      // Written is what stands there already, so that a broken sandbox harms nobody.
      const setting = '/proc/sys/kernel/core_pattern'
      const outcome = await run(shell(`read -r line < ${setting}; echo "$line" > ${setting}`, { mayTrace }))
      expect(outcome.refused).toEqual(['write_outside'])
      expect((await run(shell('find /proc/sys -type f -writable | wc -l', { mayTrace }))).stdout.trim()).toBe('0')
    },
  )

  it('hides everything beside its folder', async () => {
    const parent = freshFolder()
    const [cwd, other] = [join(parent, 'own'), join(parent, 'other')]
    mkdirSync(cwd)
    mkdirSync(other)
    writeFileSync(join(other, 'secret'), 'secret')
    const outcome = await run(shell(`ls '${parent}'; cat '${other}/secret'; echo x > '${other}/made'`, { cwd }))
    expect(outcome.stdout).toBe('own\n')
    expect(existsSync(join(other, 'made'))).toBe(false)
  })

  it('shows no home, no /etc of the machine, no name of the machine', async () => {
    const outcome = await run(shell(`ls -A '${homedir()}'; ls -A /home; echo homes; ls /etc; uname -n`))
    expect(outcome.stdout.startsWith('homes\n')).toBe(true)
    expect(outcome.stdout).not.toContain('passwd')
    expect(outcome.stdout.endsWith('sandbox\n')).toBe(true)
  })

  it('shows what is named as readable, read-only, also inside the folder that may be written', async () => {
    const cwd = freshFolder()
    const readable = freshFolder()
    const inner = join(cwd, 'inner')
    mkdirSync(inner)
    writeFileSync(join(readable, 'given'), 'given\n')
    const script = `cat '${readable}/given'; echo x > '${readable}/a' || echo x > inner/a || echo x > b && ls`
    const outcome = await run(shell(script, { cwd, readable: [readable, inner] }))
    expect(outcome.stdout).toBe('given\nb\ninner\n')
    expect(existsSync(join(readable, 'a')) || existsSync(join(inner, 'a'))).toBe(false)
  })

  it('keeps a folder that may be written writable inside one that may be read', async () => {
    const parent = freshFolder()
    const cwd = join(parent, 'a', 'b')
    mkdirSync(cwd, { recursive: true })
    const outcome = await run(shell('echo x > made; echo x > ../made', { cwd, readable: [parent] }))
    expect(existsSync(join(cwd, 'made'))).toBe(true)
    expect(existsSync(join(parent, 'a', 'made'))).toBe(false)
    expect(outcome.refused).toEqual(['write_outside'])
  })

  it('gives a /tmp of its own, no larger than the memory allowed', async () => {
    const name = `gauntlet-${sleeperSeconds()}`
    expect((await run(shell(`echo x > /tmp/${name} && ls /tmp/${name}`))).exitCode).toBe(0)
    expect(existsSync(join('/tmp', name))).toBe(false)
    const fill = 'for place in /tmp /dev/shm; do dd if=/dev/zero of=$place/big bs=65536 count=320; done'
    const outcome = await run(shell(fill, { limits: { memoryBytes: 8 * megabyte } }))
    expect(outcome.stderr.match(/No space left on device/g)).toHaveLength(2)
  })

  it('sees no process but its own, and cannot end ours', async () => {
    const outcome = await run(shell(`kill -9 ${process.pid}; kill -9 -1; echo alive`))
    expect(outcome.signal === 'SIGKILL' || outcome.stdout === 'alive\n').toBe(true)
    expect((await run(shell('ls /proc | grep -c "^[0-9]"'))).stdout.trim()).toMatch(/^[1-9]$/)
  })

  it('holds no rights, whoever started it', async () => {
    expect((await run(shell('grep CapEff /proc/self/status'))).stdout).toBe('CapEff:\t0000000000000000\n')
  })

  it.skipIf(sandbox.kind === 'none' || sandbox.version < '0.8' || !existsSync('/usr/bin/unshare'))(
    'lets no program make namespaces of its own',
    async () => {
      expect((await run(shell('unshare --user true'))).exitCode).not.toBe(0)
    },
  )

  it('reads a plain exit code of 139 as the signal, which bubblewrap writes alike', async () => {
    expect(await run(shell('exit 139'))).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
    expect(await run(shell('exit 128'))).toMatchObject({ exitCode: 128, signal: null })
    expect(await run(shell('exit 255'))).toMatchObject({ exitCode: 255, signal: null })
  })

  it('stops a bomb that doubles with every breath', async () => {
    const seconds = sleeperSeconds()
    // It would end at a thousand processes by itself, so that a broken limit does not take the machine along.
    const script = `bomb() { [ $1 -gt 8 ] || { bomb $(($1 + 1)) & bomb $(($1 + 1)) & }; sleep ${seconds}; }; bomb 1`
    const outcome = await run(shell(script, { limits: { processes: 60 } }))
    expect(outcome.stopped).toBe('processes')
    expect(outcome.durationMs).toBeLessThan(5000)
    expect(processesNaming(seconds)).toEqual([])
  })

  it('ends daemons that left tree, session and environment', async () => {
    const seconds = sleeperSeconds()
    const outcome = await run(shell(`(env -i setsid sleep ${seconds} &); sleep 0.1; echo done`))
    expect(outcome.stdout).toBe('done\n')
    expect(processesNaming(seconds)).toEqual([])
  })

  it('gives variables that steer the loader to the program alone', async () => {
    const outcome = await run(shell('echo $LD_LIBRARY_PATH', { env: { LD_LIBRARY_PATH: '/nowhere' } }))
    expect(outcome).toMatchObject({ stdout: '/nowhere\n', stderr: '' })
  })

  it.skipIf(!existsSync('/usr/bin/gdb'))('lets a debugger work where the order allows it', async () => {
    const gdb = ['/usr/bin/gdb', '-nx', '-batch', '-ex', 'run', '-ex', 'bt', '--args'] as const
    const debugged = order([...gdb, '/bin/sh', '-c', 'kill -SEGV $$'], { mayTrace: true })
    const outcome = await run(debugged)
    expect(outcome.stdout).toMatch(/SIGSEGV[^]*#0 /)
    expect(outcome.stderr).not.toContain('/mem')
  })
})

describe.skipIf(sandbox.kind === 'none')('the network of the sandbox', () => {
  let server: Server
  let port = 0
  beforeAll(async () => {
    server = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const connect = (
    target: string,
  ) => `net.connect(${target}).on('error', (e) => { console.error(e.message); process.exit(1) })
    .pipe(process.stdout)`

  it('does not reach a port of this machine', async () => {
    const outcome = await run(node(connect(`${port}, '127.0.0.1'`)))
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '', refused: ['network'] })
  })

  it('does not reach an address elsewhere', async () => {
    const outcome = await run(node(connect("80, '192.0.2.1'")))
    expect(outcome).toMatchObject({ exitCode: 1, refused: ['network'] })
  })

  it('does not resolve a name', async () => {
    const outcome = await run(node(connect("80, 'example.org'")))
    expect(outcome).toMatchObject({ exitCode: 1, refused: ['network'] })
  })

  it("is the machine's own for an order that says so", async () => {
    const outcome = await run(node(connect(`${port}, '127.0.0.1'`), { hasNetwork: true }))
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'reached', refused: [] })
  })
})

describe('a sandbox that cannot be set up', () => {
  it.each([
    ['says why', 'echo "bwrap: No permissions to create new namespace" >&2; exit 1', /sandbox.*No permissions/],
    ['says nothing', 'exit 1', /sandbox.*said nothing/],
  ])("is not taken for the program's failure: %s", async (_name, script, message) => {
    const bwrapPath = join(freshFolder(), 'bwrap')
    writeFileSync(bwrapPath, `#!/bin/sh\n${script}\n`)
    chmodSync(bwrapPath, 0o755)
    const failing = createRunner({ sandbox: 'bubblewrap', bwrapPath })(shell('true'))
    await expect(failing).rejects.toMatchObject({ type: 'Tool.Failed', message: expect.stringMatching(message) })
  })
})
