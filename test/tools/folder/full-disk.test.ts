import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openLocalStore } from '../../../src/tools/artifacts/local-store.js'
import { writeWhole } from '../../../src/tools/folder/write-whole.js'
import { smallDisk } from './small-disk.js'

const disk = smallDisk()
const why = typeof disk === 'string' ? ` (skipped: ${disk})` : ''
const root = typeof disk === 'string' ? '' : disk.path

describe.skipIf(typeof disk === 'string')(`on a full disk${why}`, () => {
  afterAll(() => {
    if (typeof disk !== 'string') disk.remove()
  })

  it('the store says so in one line and leaves nothing half-written', async () => {
    const store = await openLocalStore(join(root, 'store'))
    const small = await store.put('small', 'small', 'text/plain')
    const big = Buffer.alloc(400_000, 'x')
    await expect(store.put('big', big, 'text/plain')).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: 'artifact store: the disk is full, 400000 bytes could not be written',
    })
    expect(readdirSync(join(root, 'store', 'temporary'))).toEqual([])
    expect((await store.get(small)).toString()).toBe('small')
    expect((await store.put('after', 'after', 'text/plain')).size).toBe(5)
  })

  it('a case folder keeps its old file, and no other', async () => {
    const folder = join(root, 'case')
    mkdirSync(folder)
    writeFileSync(join(folder, 'status.json'), 'old')
    const big = Buffer.alloc(400_000, 'x')
    const full = { type: 'Tool.Failed', message: 'cannot write status.json: the disk is full' }
    await expect(writeWhole(folder, 'status.json', big)).rejects.toMatchObject(full)
    await expect(writeWhole(folder, 'deep/er/status.json', big)).rejects.toMatchObject(full)
    expect(readdirSync(folder)).toEqual(['status.json'])
    expect(readFileSync(join(folder, 'status.json'), 'utf8')).toBe('old')
  })
})
