import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { noticingProjection } from '../../src/cli/noticing-projection.js'
import { openProjection } from '../../src/tools/case-folder/project-files.js'
import { freshFolder } from '../support/git-repository.js'
import { memoryStore } from '../support/memory-store.js'

function open() {
  const folder = join(freshFolder(), 'content')
  const store = memoryStore()
  const told: string[] = []
  const projection = noticingProjection(openProjection(folder, store), {
    folder,
    onRewritten: (path) => told.push(path),
    onRefused: (reason) => told.push(reason),
  })
  const write = async (text: string) => {
    await projection.write([{ path: 'a.json', artifact: await store.put('a.json', text, 'application/json') }])
  }
  const path = join(folder, 'a.json')
  return { told, write, path, folder, read: () => readFileSync(path, 'utf8') }
}

it('tells of nothing while nobody disturbs it', async () => {
  const { told, write, read } = open()
  await write('one')
  await write('one')
  await write('two')
  expect(told).toEqual([])
  expect(read()).toBe('two')
})

it.each<[what: string, disturb: (place: { path: string; folder: string }) => void]>([
  ['taken away', ({ path }) => rmSync(path)],
  ['broken', ({ path }) => writeFileSync(path, '{broken')],
  ['emptied', ({ path }) => writeFileSync(path, '')],
  ['replaced by another document', ({ path }) => writeFileSync(path, '{"task_id": "another"}')],
  [
    'replaced by a link',
    ({ path, folder }) => {
      rmSync(path)
      symlinkSync(join(folder, '..'), path)
    },
  ],
  ['taken away with its folder', ({ folder }) => rmSync(folder, { recursive: true })],
])('writes again what was %s, also while its content changes', async (_, disturb) => {
  const place = open()
  await place.write('one')
  disturb(place)
  await place.write('one')
  expect(place.told).toEqual(['a.json'])
  disturb(place)
  await place.write('two')
  expect(place.told).toEqual(['a.json', 'a.json'])
  expect(place.read()).toBe('two')
})

it('goes on without a file that cannot be written, says so once, and writes it when it can', async () => {
  const { told, write, path, folder, read } = open()
  await write('one')
  rmSync(path)
  mkdirSync(join(path, 'own'), { recursive: true })
  await write('one')
  await write('two')
  expect(told).toEqual([expect.stringContaining('it is a folder')])
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'a file in the place of the folder')
  await write('two')
  expect(told).toHaveLength(2)
  rmSync(folder)
  await write('three')
  expect(read()).toBe('three')
})
