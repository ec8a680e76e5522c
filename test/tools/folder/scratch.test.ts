import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownerMark } from '../../../src/tools/folder/owner-mark.js'
import { sweepScratch, withScratch } from '../../../src/tools/folder/scratch.js'

let base = ''
let root = ''
beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-scratch-'))
  root = join(base, 'scratch')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('a scratch folder', () => {
  it('is fresh, private, and gone afterwards', async () => {
    const seen = await withScratch(root, async (folder) => {
      writeFileSync(join(folder, 'x'), 'x')
      return { folder, mode: statSync(folder).mode & 0o777 }
    })
    expect(seen.mode).toBe(0o700)
    expect(existsSync(seen.folder)).toBe(false)
    expect(readdirSync(root)).toEqual([])
  })

  it('is gone when the work throws, and the error stays the same', async () => {
    const failing = withScratch(root, async () => Promise.reject(new Error('the work failed')))
    await expect(failing).rejects.toThrow('the work failed')
    expect(readdirSync(root)).toEqual([])
  })

  it("is nobody else's, however many there are at once", async () => {
    const folders = await Promise.all(Array.from({ length: 20 }, () => withScratch(root, async (folder) => folder)))
    expect(new Set(folders).size).toBe(20)
  })

  it('is gone with folders that were closed, and without what links in it point to', async () => {
    mkdirSync(join(base, 'outside'))
    writeFileSync(join(base, 'outside', 'precious'), '')
    await withScratch(root, async (folder) => {
      symlinkSync(join(base, 'outside'), join(folder, 'link'))
      mkdirSync(join(folder, 'closed', 'inner'), { recursive: true })
      writeFileSync(join(folder, 'closed', 'inner', 'x'), '')
      chmodSync(join(folder, 'closed', 'inner'), 0)
      chmodSync(join(folder, 'closed'), 0)
    })
    expect(readdirSync(root)).toEqual([])
    expect(existsSync(join(base, 'outside', 'precious'))).toBe(true)
  })

  it('is gone when folders were nested deeper than a path may be long', async () => {
    const script = `const name = 'x'.repeat(200); const fs = require('node:fs')
      for (let i = 0; i < 60; i++) { fs.mkdirSync(name); process.chdir(name) } fs.writeFileSync('deepest', '')`
    await withScratch(root, async (folder) => {
      const child = spawn(process.execPath, ['-e', script], { cwd: folder })
      await new Promise((resolve) => child.once('exit', resolve))
      expect(child.exitCode).toBe(0)
    })
    expect(readdirSync(root)).toEqual([])
  })
})

describe('sweeping', () => {
  it('removes the folders of dead processes and no others', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => child.once('exit', resolve))
    const [machine = '', , start = ''] = ownerMark().split('-')
    const dead = `${machine}-${child.pid}-${start}-AbCdEf`
    await withScratch(root, async () => {
      mkdirSync(join(root, dead, 'inner'), { recursive: true })
      mkdirSync(join(root, `00000000-1-00000000-AbCdEf`))
      mkdirSync(join(root, 'notes'))
      expect(await sweepScratch(root)).toBe(1)
      expect(readdirSync(root)).toHaveLength(3)
      expect(readdirSync(root)).not.toContain(dead)
    })
  })

  it('of a folder that is not there finds nothing', async () => {
    expect(await sweepScratch(join(base, 'none'))).toBe(0)
  })
})
