import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownerMark } from '../../../src/tools/folder/owner-mark.js'
import { writeWhole } from '../../../src/tools/folder/write-whole.js'

let base = ''
let folder = ''
beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-write-'))
  folder = join(base, 'case')
  mkdirSync(folder)
  mkdirSync(join(base, 'outside'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('a file written whole', () => {
  it('holds the content, with the folders on the way', async () => {
    expect(await writeWhole(folder, 'a/b/report.md', 'text')).toBe('written')
    expect(await writeWhole(folder, 'bytes', new Uint8Array([1, 2]))).toBe('written')
    expect(readFileSync(join(folder, 'a/b/report.md'), 'utf8')).toBe('text')
    expect([...readFileSync(join(folder, 'bytes'))]).toEqual([1, 2])
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['report.md'])
  })

  it('is left alone when it holds the content already', async () => {
    await writeWhole(folder, 'status.json', '{}')
    const before = statSync(join(folder, 'status.json'), { bigint: true })
    await delay(20)
    expect(await writeWhole(folder, 'status.json', '{}')).toBe('unchanged')
    const after = statSync(join(folder, 'status.json'), { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
    expect(await writeWhole(folder, 'status.json', '[]')).toBe('written')
    expect(readFileSync(join(folder, 'status.json'), 'utf8')).toBe('[]')
  })

  it('is never seen half: a reader finds one of the contents', async () => {
    const contents = ['a', 'b'].map((letter) => letter.repeat(300_000))
    await writeWhole(folder, 'big', contents[0] ?? '')
    const writes = (async () => {
      for (let turn = 0; turn < 20; turn++) await writeWhole(folder, 'big', contents[turn % 2] ?? '')
      return 'done'
    })()
    let seen = 0
    while ((await Promise.race([writes, delay(0)])) !== 'done') {
      expect(contents).toContain(readFileSync(join(folder, 'big'), 'utf8'))
      seen++
    }
    expect(seen).toBeGreaterThan(0)
    expect(readdirSync(folder)).toEqual(['big'])
  })

  it('replaces a link instead of writing through it', async () => {
    writeFileSync(join(base, 'outside', 'precious'), 'precious')
    symlinkSync(join(base, 'outside', 'precious'), join(folder, 'report.md'))
    expect(await writeWhole(folder, 'report.md', 'precious')).toBe('written')
    expect(lstatSync(join(folder, 'report.md')).isFile()).toBe(true)
    expect(await writeWhole(folder, 'report.md', 'new')).toBe('written')
    expect(readFileSync(join(base, 'outside', 'precious'), 'utf8')).toBe('precious')
  })

  it.each(['../x', '/etc/x', 'a/../../x', 'a//x', './x', 'a/', '', 'a\\x', 'a\0x', '..'])(
    'is refused at %j',
    async (path) => {
      await expect(writeWhole(folder, path, 'x')).rejects.toMatchObject({ type: 'Contract.Violated' })
      expect(readdirSync(folder)).toEqual([])
      expect(readdirSync(base).sort()).toEqual(['case', 'outside'])
    },
  )

  it.each([
    ['a folder outside', '../outside'],
    ['nowhere', '../nowhere'],
    ['itself', 'link'],
    ['the folder above', '..'],
  ])('is refused through a link to %s', async (_name, target) => {
    symlinkSync(target, join(folder, 'link'))
    await expect(writeWhole(folder, 'link/x', 'x')).rejects.toMatchObject({ type: 'Contract.Violated' })
    await expect(writeWhole(folder, 'made/../link/x', 'x')).rejects.toMatchObject({ type: 'Contract.Violated' })
    expect(readdirSync(join(base, 'outside'))).toEqual([])
    expect(readdirSync(base).sort()).toEqual(['case', 'outside'])
  })

  it('may go through a link that stays inside, and the folder itself may be one', async () => {
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', join(folder, 'link'))
    symlinkSync(folder, join(base, 'alias'))
    expect(await writeWhole(join(base, 'alias'), 'link/x', 'x')).toBe('written')
    expect(readFileSync(join(folder, 'real', 'x'), 'utf8')).toBe('x')
  })

  it('does not replace a folder or go through a file, and leaves nothing it made', async () => {
    mkdirSync(join(folder, 'taken'))
    writeFileSync(join(folder, 'file'), '')
    await expect(writeWhole(folder, 'taken', 'x')).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: 'cannot write taken: there is a folder of that name',
    })
    await expect(writeWhole(folder, 'file/x', 'x')).rejects.toMatchObject({ type: 'Contract.Violated' })
    await expect(writeWhole(folder, `new/${'x'.repeat(280)}`, 'x')).rejects.toMatchObject({ type: 'Tool.Failed' })
    expect(readdirSync(folder).sort()).toEqual(['file', 'taken'])
  })

  it('needs a folder that is there', async () => {
    await expect(writeWhole(join(base, 'none'), 'x', 'x')).rejects.toMatchObject({ type: 'Contract.Violated' })
  })

  it('sweeps what a killed writer left beside it', async () => {
    const [machine = '', pid = ''] = ownerMark().split('-')
    writeFileSync(join(folder, `.gauntlet-${machine}-${pid}-00000000-aa`), 'half')
    writeFileSync(join(folder, `.gauntlet-${ownerMark()}-bb`), 'ours')
    await writeWhole(folder, 'x', 'x')
    expect(readdirSync(folder).sort()).toEqual([`.gauntlet-${ownerMark()}-bb`, 'x'].sort())
  })
})
