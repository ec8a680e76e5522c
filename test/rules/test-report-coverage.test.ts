import { describe, expect, it } from 'vitest'
import { readCoverage } from '../../src/rules/test-report-coverage.js'
import { countFindings } from '../../src/rules/test-report-lint.js'

describe('coverage', () => {
  it('of istanbul, nyc, c8, Jest and Vitest', () => {
    const part = (total: number, covered: number) => ({ total, covered, skipped: 0, pct: 1 })
    const total = { lines: part(3, 1), functions: part(4, 3), branches: part(0, 0), statements: part(3, 1) }
    expect(readCoverage('istanbul', JSON.stringify({ total }))).toEqual({ line: 100 / 3, function: 75, branch: null })
  })

  it('of coverage.py, with functions where its version tells them', () => {
    const totals = { covered_lines: 8, num_statements: 10, covered_branches: 1, num_branches: 4 }
    const ran = (lines: number) => ({ summary: { covered_lines: lines } })
    const files = { 'a.py': { functions: { '': ran(2), f: ran(1), g: ran(0) } } }
    expect(readCoverage('coverage.py', JSON.stringify({ totals, files }))).toEqual({
      line: 80,
      function: 50,
      branch: 25,
    })
    const old = { totals: { covered_lines: 8, num_statements: 10 }, files: { 'a.py': {} } }
    expect(readCoverage('coverage.py', JSON.stringify(old))).toEqual({ line: 80, function: null, branch: null })
  })

  it('of lcov, without the files of the tests', () => {
    const record = (file: string, hit: number) =>
      `SF:${file}\nFNF:2\nFNH:1\nBRF:0\nBRH:0\nLF:10\nLH:${hit}\nend_of_record\n`
    const files = ['test/a.js', 'src/a.test.js', 'a.spec.ts', '__tests__/a.js', 'test.js']
    const text = record('src/a.js', 7) + record('src/contest.js', 8) + files.map((file) => record(file, 10)).join('')
    expect(readCoverage('lcov', text)).toEqual({ line: 75, function: 50, branch: null })
  })

  it.each([
    ['istanbul', '{}'],
    ['istanbul', 'null'],
    ['istanbul', '{"total":{"lines":{"total":1,"covered":2},"functions":{},"branches":{}}}'],
    ['coverage.py', '{"totals":{"covered_lines":-1,"num_statements":1}}'],
    ['lcov', 'nothing'],
    ['lcov', 'SF:a.js\nLF:1\nLH:2\n'],
    ['lcov', 'SF:a.js\nLF:x\nLH:2\n'],
  ] as const)('of %s is refused when it is %j', (format, text) => {
    expect(() => readCoverage(format, text)).toThrow()
  })
})

describe('findings of linters', () => {
  it.each([
    ['eslint', '[{"errorCount":1,"warningCount":2},{"errorCount":3,"warningCount":0}]', { errors: 4, warnings: 2 }],
    ['eslint', '[]', { errors: 0, warnings: 0 }],
    ['ruff', '[{"code":"F401"},{"code":"E501"}]', { errors: 2, warnings: 0 }],
    ['ruff', '{}', null],
    ['eslint', 'Oops', null],
  ] as const)('%s: %s', (format, text, counts) => {
    expect(countFindings(format, text)).toEqual(counts)
  })
})
