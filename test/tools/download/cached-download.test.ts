import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { cachedDownload, type DownloadSource } from '../../../src/tools/download/cached-download.js'
import { ensureTemporalCli } from '../../../src/tools/download/temporal-cli.js'

const scratch = mkdtempSync(join(tmpdir(), 'cached-download-'))
let cache: string
let lines: string[]

beforeEach(() => {
  cache = mkdtempSync(join(scratch, 'cache-'))
  lines = []
})
afterAll(() => rmSync(scratch, { recursive: true }))

const good: DownloadSource = {
  name: 'the good place',
  fetch: async (into) => {
    await sleep(100)
    writeFileSync(join(into, 'program'), 'x')
  },
}
const broken: DownloadSource = {
  name: 'the broken place',
  fetch: async (into) => {
    writeFileSync(join(into, 'half'), 'x')
    throw new Error('closed today\nand more')
  },
}

function download(sources: readonly DownloadSource[]) {
  return cachedDownload({ cache, name: 'it', label: 'the thing', sources, progress: (line) => lines.push(line) })
}

test('the next source is tried when one fails, and nothing of the failed one is left', async () => {
  expect(await download([broken, good])).toEqual({ folder: join(cache, 'it') })
  expect(readdirSync(join(cache, 'it'))).toEqual(['program'])
  expect(readdirSync(cache)).toEqual(['it'])
})

test('two askers fetch once: the second waits with a line and takes what the first fetched', async () => {
  let fetches = 0
  const counted = { ...good, fetch: (into: string) => ((fetches += 1), good.fetch(into)) }
  const results = await Promise.all([download([counted]), download([counted])])
  expect(results).toEqual([{ folder: join(cache, 'it') }, { folder: join(cache, 'it') }])
  expect(fetches).toBe(1)
  expect(lines.filter((line) => line.startsWith('waiting for process'))).toHaveLength(1)
})

test('what a killed fetch left behind is neither used nor kept', async () => {
  const left = mkdtempSync(join(cache, '.draft-it-'))
  writeFileSync(join(left, 'program'), 'half')
  await download([good])
  expect(existsSync(left)).toBe(false)
})

test('when every source fails, each says why in one line, and nothing is kept', async () => {
  expect(await download([broken, broken])).toEqual({
    tried: ['the broken place: closed today', 'the broken place: closed today'],
  })
  expect(readdirSync(cache)).toEqual([])
})

test('no source for the Temporal server: one line says what was tried and what to do', async () => {
  const failure = ensureTemporalCli({ cache, env: { PATH: '' }, progress: () => {}, sources: [broken] })
  await expect(failure).rejects.toMatchObject({
    type: 'Tool.Missing',
    message:
      'no Temporal server: install the temporal CLI on PATH, or set TEMPORAL_ADDRESS to a running one. ' +
      'Tried: PATH: no temporal; the broken place: closed today',
  })
})
