import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBounded } from '../../../src/tools/folder/read-bounded.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'gauntlet-read-'))
  writeFileSync(join(folder, 'ten'), '0123456789')
  symlinkSync('ten', join(folder, 'link'))
  symlinkSync('circle', join(folder, 'circle'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['ten', 10],
  ['ten', 11],
  ['link', 10],
])('reads %s of 10 bytes within %i', async (name, maxBytes) => {
  expect((await readBounded(join(folder, name), maxBytes)).toString()).toBe('0123456789')
})

it.each([
  ['ten', 9, 'ten: expected at most 9 bytes'],
  ['ten', 0, 'ten: expected at most 0 bytes'],
  ['none', 10, 'none: not found'],
  ['ten/none', 10, 'none: not found'],
  ['circle', 10, 'circle: links that lead in a circle'],
  ['pipe', 10, 'pipe: expected a regular file'],
  ['.', 10, ': expected a regular file'],
])('refuses %s within %i bytes', async (name, maxBytes, message) => {
  const expected = { type: 'Case.Incomplete', message: expect.stringMatching(new RegExp(`${message}$`)) }
  await expect(readBounded(join(folder, name), maxBytes)).rejects.toMatchObject(expected)
})

it('refuses a device, under the name it is given', async () => {
  const expected = { type: 'Case.Incomplete', message: 'the source: expected a regular file' }
  await expect(readBounded('/dev/zero', 10, 'the source')).rejects.toMatchObject(expected)
})

it('reads an empty file', async () => {
  writeFileSync(join(folder, 'empty'), '')
  expect(await readBounded(join(folder, 'empty'), 0)).toHaveLength(0)
})

it.skipIf(process.platform !== 'linux')('is not fooled by a file that claims to be empty', async () => {
  await expect(readBounded('/proc/self/maps', 100)).rejects.toMatchObject({ type: 'Case.Incomplete' })
  expect((await readBounded('/proc/self/status', 100_000)).toString()).toContain('Pid:')
})

it.skipIf(process.getuid?.() === 0)('refuses a file that may not be read', async () => {
  writeFileSync(join(folder, 'private'), '')
  chmodSync(join(folder, 'private'), 0)
  const expected = { type: 'Case.Incomplete', message: 'private: cannot be read (permission denied)' }
  await expect(readBounded(join(folder, 'private'), 10)).rejects.toMatchObject(expected)
})
