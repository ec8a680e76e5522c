import { describe, expect, it } from 'vitest'
import { endingOf, limitReached, refusals } from '../../../src/tools/process/describe-outcome.js'
import { hasPrlimit } from './orders.js'

it.each([
  [0, 0, null],
  [1, 1, null],
  [128, 128, null],
  [129, null, 'SIGHUP'],
  [134, null, 'SIGABRT'],
  [139, null, 'SIGSEGV'],
  [153, null, 'SIGXFSZ'],
  [255, 255, null],
])('status %i is exit code %s and signal %s', (status, exitCode, signal) => {
  expect(endingOf(status)).toEqual({ exitCode, signal })
})

describe('a program that ended by itself', () => {
  const limits = { timeMs: 1, memoryBytes: 1000, outputBytes: 1, processes: 1, fileBytes: 1 }
  const table = [
    { ending: { exitCode: 0, signal: null }, peakBytes: 999, stderr: 'bad_alloc', stopped: null },
    { ending: { exitCode: 1, signal: null }, peakBytes: 899, stderr: '', stopped: null },
    { ending: { exitCode: 1, signal: null }, peakBytes: 900, stderr: '', stopped: 'memory' },
    { ending: { exitCode: null, signal: 'SIGSEGV' }, peakBytes: 899, stderr: '', stopped: null },
    { ending: { exitCode: null, signal: 'SIGSEGV' }, peakBytes: 900, stderr: '', stopped: 'memory' },
    { ending: { exitCode: 1, signal: null }, peakBytes: 0, stderr: 'out of memory', stopped: null },
    { ending: { exitCode: null, signal: 'SIGXFSZ' }, peakBytes: 0, stderr: '', stopped: 'file_size' },
    { ending: { exitCode: 153, signal: null }, peakBytes: 0, stderr: '', stopped: 'file_size' },
    { ending: { exitCode: 152, signal: null }, peakBytes: 0, stderr: '', stopped: null },
  ]
  it.each(table)('$ending.exitCode $ending.signal at $peakBytes of 1000 bytes, "$stderr": $stopped', (row) => {
    const { peakBytes, stderr } = row
    expect(limitReached({ ...row.ending, peakBytes, stderr, isFiltered: false }, limits)).toBe(row.stopped)
  })

  it.each([
    { isFiltered: true, signal: 'SIGSYS', stopped: 'network' },
    { isFiltered: true, signal: 'SIGSEGV', stopped: null },
    { isFiltered: false, signal: 'SIGSYS', stopped: null },
  ])('by $signal, under a filter ($isFiltered): $stopped', ({ isFiltered, signal, stopped }) => {
    expect(limitReached({ exitCode: null, signal, peakBytes: 0, stderr: '', isFiltered }, limits)).toBe(stopped)
  })

  it.skipIf(!hasPrlimit)('by abort after a refused allocation ran into the memory limit', () => {
    const ended = {
      exitCode: null,
      signal: 'SIGABRT',
      peakBytes: 0,
      stderr: 'what():  std::bad_alloc\n',
      isFiltered: false,
    }
    expect(limitReached(ended, limits)).toBe('memory')
  })
})

it.each([
  ['sh: cannot create /etc/x: Read-only file system', ['write_outside']],
  ['sh: 1: cannot create /home/u/x: Directory nonexistent', ['write_outside']],
  ["error: cannot open output file '/a/b': No such file or directory", ['write_outside']],
  ["error: cannot open input file '/a/b': No such file or directory", []],
  ["PermissionError: [Errno 13] Permission denied: '/srv/x'", ['write_outside']],
  ['connect ENETUNREACH 192.0.2.1:80', ['network']],
  ['curl: (6) Could not resolve host: example.org', ['network']],
  ['Read-only file system\nConnection refused', ['write_outside', 'network']],
  ['source.mlir:1:1: error: failed to legalize operation', []],
  ['tool.sh: line 2:  7 Bad system call         curl http://192.0.2.1', ['network']],
])('%j is read as %j', (stderr, refused) => {
  expect(refusals(stderr, { hasNetwork: false, stopped: null })).toEqual(refused)
})

it('a refused connection means nothing to a program that has the network', () => {
  expect(refusals('Connection refused', { hasNetwork: true, stopped: null })).toEqual([])
})

it('what was stopped at the network is named, whatever it prints', () => {
  expect(refusals('', { hasNetwork: false, stopped: 'network' })).toEqual(['network'])
})
