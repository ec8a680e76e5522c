import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CirctTool } from '../../../src/contracts/circt.js'
import { CIRCT_TOOL_NAMES } from '../../../src/rules/circt/command-tools.js'
import { splitWords } from '../../../src/rules/circt/command-words.js'
import { readCommand } from '../../../src/rules/circt/command.js'

const read = (line: string, isArgv = false) => readCommand({ line, isArgv }, ['source.sv'])

describe('readCommand', () => {
  it.each([
    ['circt-verilog {input}', { tool: 'circt-verilog', version: null, args: ['{input}'] }],
    [
      'firtool-1.155.0/circt-opt --a=b source.sv',
      { tool: 'circt-opt', version: '1.155.0', args: ['--a=b', '{input}'] },
    ],
    ['/home/me/firtool-1.62.1/firtool /tmp/x/source.sv', { tool: 'firtool', version: '1.62.1', args: ['{input}'] }],
    ['circt-opt --x other.mlir', { args: ['--x', '{input}'] }],
    ['circt-opt -', { args: ['{input}'] }],
    [
      "circt-opt --pass-pipeline='builtin.module(a, b)' {input}",
      { args: ['--pass-pipeline=builtin.module(a, b)', '{input}'] },
    ],
    ['circt-opt "a \\"b\\" c" d\\ e {input}', { args: ['a "b" c', 'd e', '{input}'] }],
    ['firtool {input} -o /tmp/x/out.v --o=../y.v', { args: ['{input}', '-o', 'out.v', '--o=y.v'] }],
    ['firtool {input} -o /dev/null', { args: ['{input}', '-o', '/dev/null'] }],
    ['circt-verilog --timescale=1ns/1ps {input}', { args: ['--timescale=1ns/1ps', '{input}'] }],
    [
      'firtool --mlir-pass-pipeline-crash-reproducer=/tmp/r.mlir --mlir-pass-pipeline-local-reproducer {input}',
      { args: ['{input}'] },
    ],
  ])('reads %s', (line, expected) => {
    expect(read(line)).toMatchObject({ command: expected })
  })

  it.each([
    ['', 'empty'],
    ['rm -rf {input}', '"rm" is not one of'],
    ['bash -c firtool {input}', '"bash" is not one of'],
    ['A=1 firtool {input}', 'sets the environment'],
    ['firtool {input} | cat', 'a pipe'],
    ['firtool {input} > x', 'a redirection'],
    ['firtool {input}; rm x', 'the end of a command'],
    ['firtool {input} & ', 'a background mark'],
    ['firtool $(id) {input}', '"$" would be expanded'],
    ['firtool "$HOME" {input}', '"$" would be expanded'],
    ['firtool `id` {input}', '"`" would be expanded'],
    ['firtool *.fir', 'a file name pattern'],
    ['firtool {input} # x', 'a comment'],
    ['firtool {input}\nrm x', 'more than one line'],
    ["firtool 'a {input}", 'not closed'],
    ['firtool {input} \\', 'backslash'],
    ['firtool', 'no place for the source'],
    ['firtool --x', 'no place for the source'],
    ['firtool {input} {input}', 'more than once'],
    ['firtool a.fir b.fir', 'more than one source'],
    ['firtool @args {input}', 'a response file'],
    ['firtool --annotation-file=/etc/passwd {input}', "leads out of the case's folder"],
    ['circt-verilog -I/usr/include {input}', "leads out of the case's folder"],
    ['firtool --x=../y {input}', "leads out of the case's folder"],
    ['firtool ../y {input}', "leads out of the case's folder"],
    [`firtool {input} ${'a '.repeat(201)}`, 'at most 200'],
  ])('refuses %j', (line, words) => {
    expect(read(line)).toMatchObject({ problem: expect.stringContaining(words) })
  })

  it('takes what a shell would act on as text in a list of arguments, since no shell reads it', () => {
    expect(read('firtool --p=a(b;$c) source.sv', true)).toMatchObject({ command: { args: ['--p=a(b;$c)', '{input}'] } })
  })
})

describe('splitWords', () => {
  it('gives back the words that were quoted', () => {
    const words = fc.array(
      fc.string({ minLength: 0, maxLength: 12 }).filter((word) => !/[\r\n\0]/.test(word)),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(words, (given) => {
        const line = given.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitWords(line)).toEqual({ words: given })
      }),
    )
  })
})

it('knows every tool of the contract', () => {
  expect([...CIRCT_TOOL_NAMES].sort()).toEqual([...CirctTool.options].sort())
})
