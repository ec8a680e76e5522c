import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenSpecEdit } from '../../../src/contracts/openspec.js'
import { openProjection } from '../../../src/tools/case-folder/project-files.js'
import { editFile } from '../../../src/tools/openspec/edit-file.js'
import { readChange } from '../../../src/tools/openspec/read-change.js'
import { memoryStore } from '../../support/memory-store.js'

let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gauntlet-openspec-'))
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const FOLDER = 'openspec/changes/add-login'
const put = async (path: string, content: string | Uint8Array) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}
const text = (path: string) => readFile(join(root, path), 'utf8')
const tick: OpenSpecEdit = { kind: 'tick', task: { number: '1.2', text: 'Check passwords' } }
const context: OpenSpecEdit = {
  kind: 'context',
  change: 'add-login',
  sessions: [
    {
      id: 'refine/k r round 1',
      at: '2025-11-22T03:11:00.000Z',
      completed_tasks: [],
      scores: ['round 1: 70'],
      decisions: [],
      changes: [],
      issues: [],
      duration: '1 min',
    },
  ],
  quick_resume: { tldr: 't', task: 'k', doing: 'd', files: [], blockers: [], next_steps: [] },
}
const TASKS = '\uFEFF# Tasks\r\n- [x] 1.1 Add form\r\n- [ ] 1.2 Check passwords\r\n- [~] 1.3 Log out'

describe("a person's file", () => {
  it('gets what a run wants in it, byte for byte nothing else; a second time it is not written at all', async () => {
    await put(`${FOLDER}/tasks.md`, TASKS)
    expect(await editFile(root, `${FOLDER}/tasks.md`, tick)).toEqual({ outcome: 'written', complaint: null })
    expect(await text(`${FOLDER}/tasks.md`)).toBe(TASKS.replace('[ ] 1.2', '[x] 1.2'))
    const before = await stat(join(root, `${FOLDER}/tasks.md`))
    expect(await editFile(root, `${FOLDER}/tasks.md`, tick)).toEqual({ outcome: 'unchanged', complaint: null })
    expect((await stat(join(root, `${FOLDER}/tasks.md`))).ino).toBe(before.ino)
  })

  it('context.md is made where it is not there; tasks.md is not', async () => {
    await mkdir(join(root, FOLDER), { recursive: true })
    expect((await editFile(root, `${FOLDER}/context.md`, context)).outcome).toBe('written')
    expect(await text(`${FOLDER}/context.md`)).toMatch(/^# Context: add-login\n\n## Session 2025-11-22 03:11\n/)
    expect(await editFile(root, `${FOLDER}/tasks.md`, tick)).toEqual({
      outcome: 'unchanged',
      complaint: `${FOLDER}/tasks.md: not found`,
    })
  })

  it('that cannot take it stays as it is, and one line says why', async () => {
    const bytes = new Uint8Array([0x23, 0xff, 0xfe])
    await put(`${FOLDER}/context.md`, bytes)
    expect((await editFile(root, `${FOLDER}/context.md`, context)).complaint).toBe(
      `${FOLDER}/context.md: expected UTF-8 text, got bytes that are none`,
    )
    expect(new Uint8Array(await readFile(join(root, `${FOLDER}/context.md`)))).toEqual(bytes)
    await put('elsewhere.md', TASKS)
    await symlink(join(root, 'elsewhere.md'), join(root, `${FOLDER}/tasks.md`))
    expect((await editFile(root, `${FOLDER}/tasks.md`, tick)).complaint).toBe(
      `${FOLDER}/tasks.md: expected a plain file`,
    )
    expect(await text('elsewhere.md')).toBe(TASKS)
  })

  it('is projected like every other file of a run, with what somebody wrote meanwhile', async () => {
    await put(`${FOLDER}/tasks.md`, '- [ ] 1.2 Check passwords\n')
    const complaints: string[] = []
    const projection = openProjection(root, memoryStore(), (line) => complaints.push(line))
    const files = [
      { path: `${FOLDER}/context.md`, openspec: context },
      { path: `${FOLDER}/tasks.md`, openspec: tick },
    ]
    expect(await projection.write(files)).toEqual([`${FOLDER}/context.md`, `${FOLDER}/tasks.md`])
    expect(await projection.write(files)).toEqual([])
    await put(`${FOLDER}/context.md`, `# Mine\n\n${await text(`${FOLDER}/context.md`)}`)
    expect(await projection.write(files)).toEqual([])
    await put(`${FOLDER}/tasks.md`, '```\n')
    expect(await projection.write(files)).toEqual([])
    expect(await projection.write(files)).toEqual([])
    expect(complaints).toEqual([
      `${FOLDER}/tasks.md: expected every code block to be closed, found one that is open at the end`,
    ])
    expect((await readdir(join(root, FOLDER))).sort()).toEqual(['context.md', 'tasks.md'])
  })
})

describe('reading a change', () => {
  it('gives its documents in the order they are read, and the first task that is open', async () => {
    await put(`${FOLDER}/tasks.md`, TASKS)
    await put(`${FOLDER}/notes.md`, 'n')
    await put(`${FOLDER}/proposal.md`, 'p')
    await put(`${FOLDER}/specs/auth/spec.md`, 's')
    await put(`${FOLDER}/specs/auth/other.md`, 'o')
    const change = await readChange(root, 'add-login', undefined)
    expect(change.documents.map(({ path }) => path)).toEqual(
      ['proposal.md', 'tasks.md', 'notes.md', 'specs/auth/spec.md'].map((name) => `${FOLDER}/${name}`),
    )
    expect(change.task).toEqual({ number: '1.2', text: 'Check passwords' })
    expect((await readChange(root, 'add-login', '1.3')).task).toEqual({ number: '1.3', text: 'Log out' })
  })

  it('needs no tasks', async () => {
    await put(`${FOLDER}/proposal.md`, 'p')
    expect((await readChange(root, 'add-login', undefined)).task).toBeNull()
  })

  it.each<
    [what: string, id: string, files: Record<string, string | Uint8Array>, task: string | undefined, line: string]
  >([
    [
      'an id with a path',
      '../x',
      {},
      undefined,
      '--openspec: (document): expected the name of a folder in openspec/changes',
    ],
    [
      'a change that is not there',
      'gone',
      {},
      undefined,
      '--openspec: expected Markdown files in openspec/changes/gone, found none',
    ],
    [
      'tasks without boxes',
      'add-login',
      { 'tasks.md': '# Tasks\n1. Add login\n' },
      undefined,
      `${FOLDER}/tasks.md: expected tasks such as`,
    ],
    ['an unknown task', 'add-login', { 'tasks.md': TASKS }, '9', '--task: expected number or text of one task'],
    [
      'a task without a tasks.md',
      'add-login',
      { 'design.md': 'd' },
      '1',
      `--task: expected a tasks.md in ${FOLDER}, found none`,
    ],
    [
      'bytes that are no text',
      'add-login',
      { 'design.md': new Uint8Array([0xff]) },
      undefined,
      `${FOLDER}/design.md: expected UTF-8`,
    ],
    [
      'a merge conflict',
      'add-login',
      { 'context.md': '>>>>>>> x\n' },
      undefined,
      `${FOLDER}/context.md: line 1: expected no merge conflict`,
    ],
  ])('%s is refused in one line', async (_, id, files, task, line) => {
    for (const [name, content] of Object.entries(files)) await put(`${FOLDER}/${name}`, content)
    const error = await readChange(root, id, task).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'Failure', message: expect.stringContaining(line) })
    expect((error as Error).message).not.toContain('\n')
  })
})
