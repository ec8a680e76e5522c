import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../../src/contracts/failures.js'
import { readCaseFolder, sha256 } from '../../../src/tools/case-folder/read-case-folder.js'
import { type Compiled, compileForChildren } from '../../support/compiled.js'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gauntlet-case-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('a case folder that can be used', () => {
  it.each(['sv', 'fir', 'mlir'])('has one source.%s and error.txt, which may be empty', async (language) => {
    await put(`source.${language}`, 'module m;\n')
    await put('error.txt', '')
    const read = await readCaseFolder(folder)
    expect(read.source).toMatchObject({ name: `source.${language}`, language })
    expect(read.source.content.toString()).toBe('module m;\n')
    expect(read.error.content.length).toBe(0)
    expect(read).toMatchObject({ command: null, earlier: null })
  })

  it('may hold a link to a source inside the folder', async () => {
    await put('real.txt', 'module m;')
    await symlink('real.txt', join(folder, 'source.sv'))
    await put('error.txt', 'boom')
    expect((await readCaseFolder(folder)).source.content.toString()).toBe('module m;')
  })

  it('accepts a source of exactly 10 MB', async () => {
    await put('source.sv', 'x'.repeat(10_000_000))
    await put('error.txt', '')
    expect((await readCaseFolder(folder)).source.content.length).toBe(10_000_000)
  })
})

describe('a case folder that cannot be used is refused with one line that names the file', () => {
  const rows: [what: string, arrange: () => Promise<unknown>, line: RegExp][] = [
    ['no source', () => put('error.txt', ''), /^source: .*source\.sv, source\.fir, source\.mlir.*got none/],
    [
      'two sources',
      () => all(put('source.sv', 'x'), put('source.fir', 'x'), put('error.txt', '')),
      /got source\.sv and source\.fir$/,
    ],
    ['an empty source', () => all(put('source.sv', ''), put('error.txt', '')), /^source\.sv: .*an empty file$/],
    ['a blank source', () => all(put('source.sv', ' \n\t'), put('error.txt', '')), /^source\.sv: .*white space only$/],
    ['no error.txt', () => put('source.sv', 'x'), /^error\.txt: expected a file, got nothing/],
    [
      'a source over 10 MB',
      () => all(put('source.sv', 'x'.repeat(10_000_001)), put('error.txt', '')),
      /^source\.sv: expected at most 10 MB, got/,
    ],
    [
      'a source of 20 MB',
      () => all(put('source.sv', 'x'.repeat(20_000_000)), put('error.txt', '')),
      /at most 10 MB, got 20 MB$/,
    ],
    [
      'an error.txt over 20 MB',
      () => all(put('source.sv', 'x'), put('error.txt', 'x'.repeat(20_000_001))),
      /^error\.txt: expected at most 20 MB/,
    ],
    [
      'binary junk as source',
      () => all(put('source.fir', 'ab\u0000c'), put('error.txt', '')),
      /^source\.fir: expected text, got binary data \(a NUL byte at offset 2\)$/,
    ],
    [
      'binary junk as error.txt',
      () => all(put('source.fir', 'x'), put('error.txt', '\u0000')),
      /^error\.txt: expected text/,
    ],
    [
      'a folder called source.sv',
      () => all(mkdir(join(folder, 'source.sv')), put('error.txt', '')),
      /^source\.sv: expected a regular file, got a folder$/,
    ],
    [
      'a link out of the folder',
      () => all(symlink('/etc/passwd', join(folder, 'source.sv')), put('error.txt', '')),
      /^source\.sv: .*a link out of it$/,
    ],
    [
      'a link that leads nowhere',
      () => all(symlink('gone', join(folder, 'source.sv')), put('error.txt', '')),
      /^source\.sv: expected a file, got nothing/,
    ],
    [
      'a link in a circle',
      () => all(symlink('source.sv', join(folder, 'source.sv')), put('error.txt', '')),
      /^source\.sv: .*leads in circles/,
    ],
    [
      'broken JSON in status.json',
      () => whole('status.json', '{"crash_id": '),
      /^status\.json: expected JSON.*mend or remove it/,
    ],
    ['an empty status.json', () => whole('status.json', ''), /^status\.json: /],
    ['a status.json that is a list', () => whole('status.json', '[]'), /^status\.json: /],
    [
      'steps of another shape in status.json',
      () => whole('status.json', '{"steps": {"minimize": 5}}'),
      /^status\.json: steps\.minimize/,
    ],
    [
      'a path with .. in status.json',
      () => whole('status.json', stepWith('../x')),
      /^status\.json: steps\.minimize\.artifacts\.0\.name: .*\.\./,
    ],
    [
      'several lines in command.txt',
      () => whole('command.txt', 'firtool a\nfirtool b\n'),
      /^command\.txt: expected one line with the command, got 2$/,
    ],
  ]
  it.each(rows)('%s', async (_, arrange, line) => {
    await arrange()
    const failure = await failureOf(readCaseFolder(folder))
    expect(['Case.Incomplete', 'Contract.Violated']).toContain(failure.type)
    expect(failure.message).toMatch(line)
    expect(failure.message).not.toContain('\n')
    expect(failure.message).not.toContain(folder)
  })

  it('a folder that is not there', async () => {
    const failure = await failureOf(readCaseFolder(join(folder, 'gone')))
    expect(failure.message).toMatch(/^CASE_DIR: expected a folder .*got "gone": there is nothing by this name/)
  })

  it('a file instead of a folder', async () => {
    await put('file', 'x')
    expect((await failureOf(readCaseFolder(join(folder, 'file')))).message).toMatch(/^CASE_DIR: .*got a file: file$/)
  })

  it('a named pipe nobody writes to, without waiting for it', async () => {
    expect(spawnSync('mkfifo', [join(folder, 'source.sv')]).status).toBe(0)
    await put('error.txt', '')
    expect((await failureOf(readCaseFolder(folder))).message).toBe(
      'source.sv: expected a regular file, got a named pipe',
    )
  })
})

describe('command.txt', () => {
  it('is input when a person wrote it', async () => {
    await whole('command.txt', '# how it was found\nfirtool-1.62.1/firtool {input}\n')
    expect((await readCaseFolder(folder)).command).toEqual({ line: 'firtool-1.62.1/firtool {input}' })
  })

  it('is output when status.json names its hash: then the command of that run counts', async () => {
    await whole('command.txt', 'firtool bug.fir\n')
    const command = { tool: 'firtool', version: null, args: ['{input}', '--ir-hw'] }
    await put('status.json', stepWith('command.txt', { input: { command } }))
    expect((await readCaseFolder(folder)).command).toEqual({ command })
  })

  it('that a run wrote over a person’s leaves the copy to be read', async () => {
    await whole('command.txt', 'firtool bug.fir\n')
    await put('command.txt.orig', 'circt-opt {input}\n')
    await put(
      'status.json',
      stepWith('command.txt', { input: { command: { tool: 'firtool', version: null, args: ['{input}'] } } }),
    )
    expect((await readCaseFolder(folder)).command).toEqual({ line: 'circt-opt {input}' })
  })

  it('that a person wrote anew after a run is input again', async () => {
    await whole('command.txt', 'firtool --new {input}\n')
    await put('command.txt.orig', 'circt-opt {input}\n')
    await put('status.json', stepWith('command.txt', {}, 'firtool bug.fir\n'))
    expect((await readCaseFolder(folder)).command).toEqual({ line: 'firtool --new {input}' })
  })
})

describe('a status.json of another program', () => {
  it('is read as far as it goes', async () => {
    await whole(
      'status.json',
      JSON.stringify({ status: 'processing', phase: 'phase1_parallel', steps: { reproduce: { completed: true } } }),
    )
    const { earlier } = await readCaseFolder(folder)
    expect(earlier).toMatchObject({ digest: null, runId: null, command: null })
    expect([...(earlier?.steps.keys() ?? [])]).toEqual(['reproduce'])
  })
})

/** Root reads everything, so these run as somebody else, in a process of their own. */
describe.skipIf(process.getuid?.() !== 0)(
  'for an ordinary user (left out where the tests are run by one: they need root to become another)',
  () => {
    let compiled: Compiled
    beforeAll(() => {
      compiled = compileForChildren(['tools/case-folder/read-case-folder'])
    })
    afterAll(() => compiled.remove())

    it.each([
      [
        'an unreadable source',
        ['source.sv'],
        /^source\.sv: expected a readable file, permission is denied \(EACCES\)$/,
      ],
      ['an unreadable error.txt', ['error.txt'], /^error\.txt: expected a readable file, permission is denied/],
      ['an unreadable folder', ['.'], /^CASE_DIR: .*permission is denied/],
    ])('%s is one clear line', async (_, names, line) => {
      await put('source.sv', 'x')
      await put('error.txt', '')
      await chmod(folder, 0o755)
      for (const name of names) await chmod(join(folder, name), 0o000)
      expect(messageAsNobody(compiled, folder)).toMatch(line)
    })
  },
)

/** The message of the failure when user 65534 reads the folder. The code is loaded before root is given up: the checkout may be root's own. */
function messageAsNobody(compiled: Compiled, path: string): string {
  const script = `
    const { readCaseFolder } = await import(${JSON.stringify(compiled.fileOf('tools/case-folder/read-case-folder'))})
    process.setgroups([]); process.setgid(65534); process.setuid(65534)
    await readCaseFolder(process.argv[1]).then(() => console.log('was read'), (error) => console.log(error.message))`
  const node = spawnSync(process.execPath, ['--input-type=module', '--eval', script, path], { encoding: 'utf8' })
  return node.stdout.trim() || node.stderr
}

async function put(name: string, content: string): Promise<void> {
  await writeFile(join(folder, name), content)
}

async function all(...done: Promise<unknown>[]): Promise<void> {
  await Promise.all(done)
}

/** A folder that is well but for one more file. */
async function whole(name: string, content: string): Promise<void> {
  await all(put('source.fir', 'x'), put('error.txt', ''), put(name, content))
}

/** A status.json whose minimize step wrote one file of this name, with this content. */
function stepWith(name: string, more: object = {}, content = 'firtool bug.fir\n'): string {
  const artifact = { name, sha256: sha256(Buffer.from(content)), size: content.length, media_type: 'text/plain' }
  return JSON.stringify({ steps: { minimize: { completed: true, artifacts: [artifact] } }, ...more })
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Failure) return error
  throw new Error(`expected a Failure, got ${String(error)}`)
}
