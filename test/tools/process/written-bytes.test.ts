import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { leastFileBytes, writtenBytes } from '../../../src/tools/process/written-bytes.js'
import { freshFolder } from './orders.js'

const all = { sinceMs: 0, enough: Infinity }
const page = Buffer.alloc(65_536, 1)

describe('bytes written', () => {
  it('are those of the files below the folders, however deep, each counted once', async () => {
    const [one, two] = [freshFolder(), freshFolder()]
    mkdirSync(join(one, 'a/b'), { recursive: true })
    writeFileSync(join(one, 'a/b/file'), page)
    linkSync(join(one, 'a/b/file'), join(one, 'again'))
    writeFileSync(join(two, 'file'), page)
    const { bytes, isPart } = await writtenBytes([one, two], all)
    expect(bytes).toBeGreaterThanOrEqual(2 * page.length)
    expect(bytes).toBeLessThan(3 * page.length)
    expect(isPart).toBe(false)
  })

  it('are what lies on the disk: not what is promised, and nothing behind a link', async () => {
    const [folder, elsewhere] = [freshFolder(), freshFolder()]
    writeFileSync(join(elsewhere, 'big'), Buffer.alloc(1 << 20, 1))
    symlinkSync(elsewhere, join(folder, 'folder'))
    symlinkSync(join(elsewhere, 'big'), join(folder, 'file'))
    writeFileSync(join(folder, 'promised'), '')
    truncateSync(join(folder, 'promised'), 1 << 30)
    expect((await writtenBytes([folder], all)).bytes).toBe(3 * leastFileBytes)
  })

  it('count an empty file as one block', async () => {
    const folder = freshFolder()
    for (let at = 0; at < 100; at++) writeFileSync(join(folder, `${at}`), '')
    expect((await writtenBytes([folder], all)).bytes).toBe(100 * leastFileBytes)
    expect((await writtenBytes([folder], { ...all, enough: 33 * leastFileBytes })).bytes).toBeLessThan(
      100 * leastFileBytes,
    )
  })

  it('leave out what was there before', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'file'), page)
    expect(await writtenBytes([folder], { ...all, sinceMs: Date.now() + 5_000 })).toEqual({ bytes: 0, isPart: false })
  })

  it.skipIf(process.getuid?.() === 0)('say when a folder is closed (left out for root, to whom none is)', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'shut'))
    chmodSync(join(folder, 'shut'), 0)
    expect((await writtenBytes([folder], all)).isPart).toBe(true)
    chmodSync(join(folder, 'shut'), 0o700)
  })

  it('of folders that are gone are none', async () => {
    expect(await writtenBytes([join(freshFolder(), 'gone')], all)).toEqual({ bytes: 0, isPart: false })
  })
})
