import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.js'
import { collected, fakeStreams, type Typed, typed } from '../support/typed-cli.js'

const example = fileURLToPath(new URL('../../examples/vote/', import.meta.url))

let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-vote-'))
})

afterEach(async () => {
  vi.restoreAllMocks()
  await rm(home, { recursive: true, force: true })
})

describe('the example', () => {
  it.each([
    ['without asking', []],
    ['asked for', ['--format', 'json']],
    ['as one document, whatever the format', ['--format', 'table', '--json']],
  ])('comes out as JSON, %s', async (_, options) => {
    const { stdout, ...rest } = await typed(['vote', join(example, 'votes.json'), ...options], { home })
    expect([JSON.parse(stdout), rest]).toEqual([await expected(), { exit: 0, stderr: '' }])
  })

  it('comes out as a table', async () => {
    const stdout = await readFile(join(example, 'expected.txt'), 'utf8')
    const result = await typed(['vote', join(example, 'votes.json'), '--format', 'table'], { home })
    expect(result).toEqual({ exit: 0, stdout, stderr: '' })
  })

  it.each([[['vote']], [['vote', '-']]])('comes out from standard input with %j', async (argv) => {
    const { stdout, ...rest } = await withInput(await readFile(join(example, 'votes.json')), argv)
    expect([JSON.parse(stdout), rest]).toEqual([await expected(), { exit: 0, stderr: '' }])
  })

  async function expected(): Promise<unknown> {
    return JSON.parse(await readFile(join(example, 'expected.json'), 'utf8'))
  }
})

describe('exit codes', () => {
  const votes = (...against: string[]) =>
    JSON.stringify({
      votes: against.map((eliminated, at) => ({ evaluator_id: `e${at}`, elimination_decision: { eliminated } })),
      elimination_threshold: 2,
    })

  it.each([
    ['0 when somebody goes and somebody stays', votes('A', 'A', 'B'), 0, ''],
    ['1 when nobody reaches the threshold', votes('A', 'B'), 1, ''],
    [
      '1 and a note when nobody would be left',
      votes('A', 'A', 'B', 'B'),
      1,
      'note: a tie: all 2 candidates reach the threshold, nobody would be left; vote again or ask a person\n',
    ],
    [
      '0 and a note when the one who goes is the only one known',
      votes('A', 'A'),
      0,
      'note: no survivor is known: the input names no other candidate (`candidates` can)\n',
    ],
  ])('%s', async (_, text, exit, stderr) => {
    expect(await withInput(text, ['vote'])).toMatchObject({ exit, stderr })
    expect(await withInput(text, ['vote', '--json'])).toMatchObject({ exit, stderr: '' })
  })
})

const vote = (by: string, eliminated: string) => ({ evaluator_id: by, elimination_decision: { eliminated } })
const bad = (change: object, ...ballots: object[]) =>
  JSON.stringify({ votes: ballots, elimination_threshold: 1, ...change })

describe('what cannot be read is one line and exit 2', () => {
  it.each<[what: string, input: string | Buffer, line: string | RegExp]>([
    ['nothing', '', 'stdin: expected one JSON document, got nothing'],
    ['blanks', ' \n', 'stdin: expected one JSON document, got nothing'],
    ['no JSON', 'A wins', 'stdin: (document): expected a JSON value, got A'],
    ['half a document', '{"votes": [', /^stdin: expected one JSON document, got text that is none: Unexpected end/],
    [
      'NaN as a weight',
      '{"confidence_weights": {"High": NaN}}',
      'stdin: confidence_weights.High: expected a JSON value, got NaN',
    ],
    [
      'an infinite weight',
      '{"confidence_weights": {"High": 1e999}}',
      'stdin: confidence_weights.High: expected a finite number, got 1e999',
    ],
    [
      'a candidate assessed twice by one evaluator',
      '{"votes": [{"quick_assessments": {"A": 1, "A": 2}}]}',
      'stdin: votes.0.quick_assessments.A: expected the field once, got it twice',
    ],
    [
      'a vote for somebody unknown',
      bad({ candidates: ['A', 'B'] }, vote('ann', 'C')),
      'stdin: votes.0.elimination_decision.eliminated: expected one of the candidates "A", "B", got "C"',
    ],
    [
      'an evaluator that votes twice',
      bad({}, vote('ann', 'A'), vote('ann', 'B')),
      'stdin: votes.1.evaluator_id: expected each evaluator to vote once, but votes.0 is theirs too, got "ann"',
    ],
    [
      'one candidate',
      bad({ candidates: ['A'] }, vote('ann', 'A')),
      'stdin: candidates: expected at least two candidates, got ["A"]',
    ],
    [
      'the same name twice',
      bad({ candidates: ['A', 'A'] }, vote('ann', 'A')),
      'stdin: candidates.1: expected each candidate once, but candidates.0 is the same, got "A"',
    ],
    [
      'threshold 0',
      bad({ elimination_threshold: 0 }, vote('ann', 'A')),
      'stdin: elimination_threshold: expected a whole number from 1, got 0',
    ],
    [
      'threshold 1.5',
      bad({ elimination_threshold: 1.5 }, vote('ann', 'A')),
      'stdin: elimination_threshold: expected a whole number from 1, got 1.5',
    ],
    [
      'a negative weight',
      bad({ confidence_weights: { High: -1 } }, vote('ann', 'A')),
      'stdin: confidence_weights.High: expected a number from 0 to 1e12, got -1',
    ],
    ['another encoding', Buffer.from([0xff, 0xfe, 0x7b, 0]), 'stdin: expected UTF-8 text, got bytes that are none'],
    ['another document', '[]', /^stdin: \(document\): expected an object with votes .*, got \[\]$/],
  ])('%s', async (_, input, line) => {
    const plain = await withInput(input, ['vote'])
    expect(plain).toMatchObject({ exit: 2, stdout: '' })
    const message = plain.stderr.replace(/^gauntlet: /, '').trimEnd()
    expect(message).toMatch(line)
    const { exit, stdout, stderr } = await withInput(input, ['vote', '--json'])
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([2, '', { error: { type: 'Contract.Violated', message } }])
  })

  it.each([
    ['gone.json', 'gone.json: not found'],
    ['.', '.: expected a regular file'],
    ['huge.json', 'huge.json: expected at most 100000000 bytes'],
  ])('the file %s', async (file, came) => {
    const huge = await open(join(home, 'huge.json'), 'w')
    await huge.truncate(100_000_001)
    await huge.close()
    const { exit, stderr } = await typed(['vote', file], { home })
    expect([exit, stderr]).toEqual([2, `gauntlet: FILE ${came}\n`])
  })

  it('more than 100 MB on stdin', async () => {
    const { exit, stderr } = await withInput(Buffer.alloc(100_000_001, ' '), ['vote'])
    expect([exit, stderr]).toEqual([2, 'gauntlet: stdin: expected at most 100000000 bytes, got more\n'])
  })

  it('a format there is not', async () => {
    const { exit, stderr } = await typed(['vote', '--format', 'xml'], { home })
    expect([exit, stderr]).toEqual([2, 'gauntlet: --format: expected one of json, table, got "xml"\n'])
  })
})

describe('Ctrl-C', () => {
  it('while it waits for its input is exit 130 and one line', async () => {
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(new PassThrough() as unknown as typeof process.stdin)
    const [stdout, stderr, interrupt] = [collected(), collected(), new AbortController()]
    const streams = fakeStreams(stdout.stream, stderr.stream)
    const ended = runCli(['vote'], { streams, env: { GAUNTLET_HOME: home }, cwd: home, signal: interrupt.signal })
    setImmediate(() => interrupt.abort())
    expect([await ended, stdout.text(), stderr.text()]).toEqual([
      130,
      '',
      'gauntlet: interrupted while reading stdin; nothing was done\n',
    ])
  })
})

/** Types the command with these bytes at its standard input. */
async function withInput(input: string | Buffer, argv: string[]): Promise<Typed> {
  const stdin = new PassThrough()
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin)
  stdin.end(input)
  return await typed(argv, { home })
}
