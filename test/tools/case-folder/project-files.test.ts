import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProjectedFile } from '../../../src/contracts/run.js'
import { checkWritable, openProjection, putCommandBack } from '../../../src/tools/case-folder/project-files.js'
import { readCaseFolder } from '../../../src/tools/case-folder/read-case-folder.js'
import { memoryStore } from '../../support/memory-store.js'

const store = memoryStore()
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gauntlet-project-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('openProjection', () => {
  it('writes what is new or changed, and says which', async () => {
    const projection = openProjection(folder, store)
    const bug = await artifact('bug.fir', 'circuit')
    expect(await projection.write([bug, status('one')])).toEqual(['bug.fir', 'status.json'])
    expect(await projection.write([bug, status('one')])).toEqual([])
    expect(await projection.write([bug, status('two')])).toEqual(['status.json'])
    expect(await text('bug.fir')).toBe('circuit')
    expect(await text('status.json')).toBe('two')
  })

  it('writes again what another process overwrote meanwhile', async () => {
    const projection = openProjection(folder, store)
    await projection.write([status('new')])
    await writeFile(join(folder, 'status.json'), 'older')
    expect(await projection.write([status('new')])).toEqual(['status.json'])
  })

  it('never writes over the inputs, nor outside the folder', async () => {
    const projection = openProjection(folder, store)
    const files = ['source.sv', 'error.txt', '../x', '/tmp/x', 'a/../../x'].map((path) => ({ path, text: 'evil' }))
    expect(await projection.write(files)).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })

  it('refuses a folder that is a link out of the case folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'gauntlet-outside-'))
    await symlink(outside, join(folder, 'logs'))
    await expect(openProjection(folder, store).write([{ path: 'logs/x', text: 'evil' }])).rejects.toThrow(/case folder/)
    expect(await readdir(outside)).toEqual([])
    await rm(outside, { recursive: true })
  })

  it('writes command.txt last, after a status.json that names it', async () => {
    const projection = openProjection(folder, store)
    const files = [await artifact('command.txt', 'firtool bug.fir'), status('{}'), await artifact('a.log', '')]
    expect(await projection.write(files)).toEqual(['a.log', 'status.json', 'command.txt'])
  })
})

describe('command.txt of a person', () => {
  it('is kept beside ours, and put back before another run', async () => {
    await writeFile(join(folder, 'source.fir'), 'x')
    await writeFile(join(folder, 'error.txt'), '')
    await writeFile(join(folder, 'command.txt'), 'firtool {input}\n')
    const ours = await artifact('command.txt', 'firtool bug.fir')
    await openProjection(folder, store).write([ours, statusOf('run-1', ours)])
    expect(await text('command.txt')).toBe('firtool bug.fir')
    expect(await text('command.txt.orig')).toBe('firtool {input}\n')

    const { earlier } = await readCaseFolder(folder)
    await putCommandBack(folder, earlier, 'run-1')
    expect(await text('command.txt')).toBe('firtool bug.fir')
    await putCommandBack(folder, earlier, 'run-2')
    expect(await text('command.txt')).toBe('firtool {input}\n')
  })

  it('is never made up: a run’s own command.txt is taken away before another run where no person wrote one', async () => {
    await writeFile(join(folder, 'source.fir'), 'x')
    await writeFile(join(folder, 'error.txt'), '')
    const ours = await artifact('command.txt', 'firtool bug.fir')
    await openProjection(folder, store).write([ours, statusOf('run-1', ours)])
    await putCommandBack(folder, (await readCaseFolder(folder)).earlier, 'run-2')
    expect((await readdir(folder)).sort()).toEqual(['error.txt', 'source.fir', 'status.json'])
  })
})

describe('checkWritable', () => {
  it('leaves nothing behind in a folder that takes files', async () => {
    await checkWritable(folder)
    expect(await readdir(folder)).toEqual([])
  })

  it('says in one line that a folder takes none', async () => {
    await expect(checkWritable(join(folder, 'gone'))).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(/^case folder: expected to write in it, [^\n]+$/),
    })
  })
})

async function artifact(path: string, content: string): Promise<Extract<ProjectedFile, { artifact: unknown }>> {
  return { path, artifact: await store.put(path, content, 'text/plain') }
}

function status(content: string): ProjectedFile {
  return { path: 'status.json', text: content }
}

function statusOf(runId: string, file: Extract<ProjectedFile, { artifact: unknown }>): ProjectedFile {
  return status(JSON.stringify({ run_id: runId, steps: { minimize: { completed: true, artifacts: [file.artifact] } } }))
}

async function text(name: string): Promise<string> {
  return await readFile(join(folder, name), 'utf8')
}
