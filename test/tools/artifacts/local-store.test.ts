import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLocalStore } from '../../../src/tools/artifacts/local-store.js'
import { ownerMark } from '../../../src/tools/folder/owner-mark.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Every file below the store, without the id. */
function filesIn(path: string): string[] {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'id')
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('an artifact', () => {
  it('comes back as it was put, named by its content', async () => {
    const store = await openLocalStore(folder)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const artifact = await store.put('logs/a.txt', bytes, 'text/plain')
        expect(artifact).toMatchObject({ name: 'logs/a.txt', size: bytes.length, media_type: 'text/plain' })
        expect(new Uint8Array(await store.get(artifact))).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  it('of the same content is stored once, under any name', async () => {
    const store = await openLocalStore(folder)
    const [one, two] = [await store.put('a', 'same', 'text/plain'), await store.put('b', 'same', 'text/x-b')]
    expect(one.sha256).toBe('0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5')
    expect(two.sha256).toBe(one.sha256)
    expect(filesIn(folder)).toEqual([join(folder, 'sha256', '09', one.sha256)])
  })

  it.each(['../a', '/a', 'a\\b', '', 'a\nb', 'x'.repeat(301)])('cannot be called %j', async (name) => {
    const store = await openLocalStore(folder)
    await expect(store.put(name, 'content', 'text/plain')).rejects.toMatchObject({ type: 'Contract.Violated' })
    expect(filesIn(folder)).toEqual([])
  })

  it('whose content is gone or was changed is a violated contract, in one line', async () => {
    const store = await openLocalStore(folder)
    const artifact = await store.put('a', 'content', 'text/plain')
    const path = join(folder, 'sha256', artifact.sha256.slice(0, 2), artifact.sha256)
    writeFileSync(path, 'c0ntent')
    const changed = { type: 'Contract.Violated', message: expect.stringMatching(/^artifact "a": expected content .*$/) }
    await expect(store.get(artifact)).rejects.toMatchObject(changed)
    rmSync(path)
    const gone = { type: 'Contract.Violated', message: expect.stringMatching(/^artifact "a": its content is gone .*$/) }
    await expect(store.get(artifact)).rejects.toMatchObject(gone)
  })

  it('cannot be asked for by a path', async () => {
    const store = await openLocalStore(folder)
    await expect(store.get({ name: 'a', sha256: '../../etc/passwd' })).rejects.toMatchObject({
      type: 'Contract.Violated',
    })
  })

  it('that was cut short on disk is whole again once it is put again', async () => {
    const store = await openLocalStore(folder)
    const artifact = await store.put('a', 'content', 'text/plain')
    writeFileSync(join(folder, 'sha256', artifact.sha256.slice(0, 2), artifact.sha256), 'cont')
    await store.put('a', 'content', 'text/plain')
    expect((await store.get(artifact)).toString()).toBe('content')
  })
})

describe('a key', () => {
  it('is bound once: the first value stays', async () => {
    const store = await openLocalStore(folder)
    expect(await store.lookup('run/1')).toBe(null)
    expect(await store.publish('run/1', { verdict: 'yes' })).toEqual({ verdict: 'yes' })
    expect(await store.publish('run/1', { verdict: 'no' })).toEqual({ verdict: 'yes' })
    expect(await store.lookup('run/1')).toEqual({ verdict: 'yes' })
  })

  it('may be any text and its value any JSON', async () => {
    const store = await openLocalStore(folder)
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.jsonValue(), async (suffix, value) => {
        const key = `${suffix}#${Math.random()}`
        const expected: unknown = JSON.parse(JSON.stringify(value))
        expect(await store.publish(key, value)).toEqual(expected)
        expect(await store.lookup(key)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('has one winner among many, and all learn the same', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openLocalStore(folder)))
    const values = await Promise.all(stores.map((store, index) => store.publish('key', index)))
    expect(new Set(values).size).toBe(1)
  })

  it('takes no value that is none or too large', async () => {
    const store = await openLocalStore(folder)
    await expect(store.publish('key', undefined)).rejects.toMatchObject({ type: 'Contract.Violated' })
    await expect(store.publish('key', 'x'.repeat(70_000))).rejects.toMatchObject({ type: 'Contract.Violated' })
    expect(filesIn(folder)).toEqual([])
  })
})

describe('a store', () => {
  it('keeps its name, also when many open it at once', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openLocalStore(folder)))
    const again = await openLocalStore(folder)
    expect(new Set([...stores, again].map((store) => store.id)).size).toBe(1)
    expect(again.id).toMatch(/^[a-z0-9]{8,32}$/)
    expect(again.path).toBe(folder)
  })

  it('with a damaged name is refused', async () => {
    writeFileSync(join(folder, 'id'), 'not a name\n')
    await expect(openLocalStore(folder)).rejects.toMatchObject({ type: 'Contract.Violated' })
  })

  it('keeps no temporary file, and sweeps those of dead processes only', async () => {
    const store = await openLocalStore(folder)
    await store.put('a', 'content', 'text/plain')
    const temporary = join(folder, 'temporary')
    expect(readdirSync(temporary)).toEqual([])
    const names = await leftNames()
    for (const name of Object.values(names)) writeFileSync(join(temporary, name), 'half')
    const longAgo = new Date(Date.now() - 25 * 3600 * 1000)
    utimesSync(join(temporary, names.foreignOld), longAgo, longAgo)
    await openLocalStore(folder)
    expect(readdirSync(temporary).sort()).toEqual([names.alive, names.foreignNew, names.unknown].sort())
  })

  it.skipIf(process.getuid?.() === 0)('that may not be written says so', async () => {
    const store = await openLocalStore(folder)
    chmodSync(join(folder, 'temporary'), 0o500)
    await expect(store.put('a', 'content', 'text/plain')).rejects.toMatchObject({ code: 'EACCES' })
    chmodSync(join(folder, 'temporary'), 0o700)
  })
})

/** Names of temporary files: ours, of a process that ended, and of other machines. */
async function leftNames() {
  const [machine = '', , start = ''] = ownerMark().split('-')
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.once('exit', resolve))
  return {
    alive: `${ownerMark()}-01`,
    dead: `${machine}-${child.pid}-${start}-02`,
    reused: `${machine}-${process.ppid}-00000000-03`,
    foreignNew: `00000000-1-00000000-04`,
    foreignOld: `00000000-1-00000000-05`,
    unknown: 'readme.txt',
  }
}
