import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noticingProjection } from '../../src/cli/noticing-projection.js'
import { openProjection } from '../../src/tools/case-folder/project-files.js'
import { memoryStore } from '../support/memory-store.js'

it('tells of a file that was lost or broken, and only then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gauntlet-noticing-'))
  const store = memoryStore()
  const told: string[] = []
  const projection = noticingProjection(openProjection(folder, store), (path) => told.push(path))
  const file = async (text: string) => ({
    path: 'a.json',
    artifact: await store.put('a.json', text, 'application/json'),
  })
  const [one, two] = [await file('one'), await file('two')]
  await projection.write([one])
  await projection.write([one])
  await projection.write([two])
  expect(told).toEqual([])
  rmSync(join(folder, 'a.json'))
  await projection.write([two])
  expect(told).toEqual(['a.json'])
  writeFileSync(join(folder, 'a.json'), '{broken')
  await projection.write([two])
  expect(told).toEqual(['a.json', 'a.json'])
  expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe('two')
  rmSync(folder, { recursive: true })
})
