import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeEnvironment, type EnvironmentOptions } from '../../src/tools/environment.js'

const scratch = mkdtempSync(join(tmpdir(), 'environment-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const bare: EnvironmentOptions = { home: scratch, env: { PATH: '' }, circtBin: null, server: null }

async function rows(options: Partial<EnvironmentOptions> = {}) {
  const all = await describeEnvironment({ ...bare, ...options })
  return Object.fromEntries(all.map((row) => [row.name, row]))
}

test('on a bare machine everything missing says how to get it', async () => {
  const all = await describeEnvironment(bare)
  expect(all.map((row) => row.name)).toEqual([
    'node',
    'git',
    'Temporal server',
    'bubblewrap',
    'prlimit',
    'gdb',
    'CIRCT',
    'verilator',
    'iverilog',
    'slang',
    'ruff',
    'bandit',
    'python3 -m pip',
    'mvn',
    'disk',
  ])
  expect(all.filter((row) => (row.status === 'ok') !== (row.how_to_get === null))).toEqual([])
  expect(all.find((row) => row.name === 'git')).toMatchObject({ status: 'missing', detail: 'not on PATH' })
  expect(all.find((row) => row.name === 'gdb')).toMatchObject({ status: 'optional-missing' })
})

test('a program on PATH is there when it really runs, and its first line is plain text', async () => {
  const bin = join(scratch, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'mvn'), '#!/bin/sh\nprintf "\\033[1mApache Maven 9\\033[m\\nmore\\n"\n', { mode: 0o755 })
  writeFileSync(join(bin, 'gdb'), '#!/bin/sh\necho broken >&2; exit 3\n', { mode: 0o755 })
  const found = await rows({ env: { PATH: `${bin}:/usr/bin:/bin` } })
  expect(found['mvn']).toEqual({ name: 'mvn', status: 'ok', detail: 'Apache Maven 9', how_to_get: null })
  expect(found['gdb']).toMatchObject({ status: 'optional-missing', detail: 'does not run: broken' })
})

test('a server that answers is fine, a configured one that does not is missing', async () => {
  const detail = 'temporal.example:7233 (configured)'
  const answering = await rows({ server: { detail, isAnswering: true } })
  expect(answering['Temporal server']).toMatchObject({ status: 'ok', detail })
  const silent = await rows({ server: { detail, isAnswering: false } })
  expect(silent['Temporal server']).toMatchObject({ status: 'missing', detail: `${detail} does not answer` })
})

test('a wrong CIRCT folder is told, not thrown', async () => {
  expect((await rows({ circtBin: scratch }))['CIRCT']).toMatchObject({ status: 'missing' })
})

test('a git that is too old to merge without a worktree counts as missing', async () => {
  const bin = join(scratch, 'old')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.37.7\n', { mode: 0o755 })
  expect((await rows({ env: { PATH: `${bin}:/usr/bin:/bin` } }))['git']).toEqual({
    name: 'git',
    status: 'missing',
    detail: 'expected git 2.38 or newer, got 2.37',
    how_to_get: 'install git 2.38 or newer',
  })
})
