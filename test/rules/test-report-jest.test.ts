import { describe, expect, it } from 'vitest'
import { readJestReport } from '../../src/rules/test-report-jest.js'

const passed = { status: 'passed', fullName: 'a works', title: 'works', failureMessages: [] }
const failed = (message: string) => ({ ...passed, status: 'failed', fullName: 'a fails', failureMessages: [message] })
const report = (counts: [number, number], ...testResults: object[]) =>
  JSON.stringify({ numPassedTests: counts[0], numFailedTests: counts[1], testResults })

describe('the JSON report of Jest and Vitest', () => {
  it.each([
    ['AssertionError: expected 1 to be 2\n    at x', 'assertion'],
    ['Error: expect(received).toBe(expected) // Object.is equality', 'assertion'],
    ['AssertionError [ERR_ASSERTION]: 1 == 2', 'assertion'],
    ["TypeError: Cannot read properties of null (reading 'x')", 'error'],
    ['Error: Assertion of mine', 'error'],
  ])('%j is an %s', (message, kind) => {
    const text = report([0, 1], { name: '/p/a.js', status: 'failed', assertionResults: [failed(message)] })
    expect(readJestReport(text).cases).toEqual([
      { name: 'a fails', file: '/p/a.js', status: 'failed', kind, message: message.split('\n')[0] },
    ])
  })

  it('counts pending, todo and disabled tests as skipped', () => {
    const skipped = ['pending', 'todo', 'disabled', 'skipped'].map((status) => ({ ...passed, status }))
    const text = report([1, 0], { name: '/p/a.js', status: 'passed', assertionResults: [passed, ...skipped] })
    expect(readJestReport(text).cases.map((each) => each.status)).toEqual(['passed', ...skipped.map(() => 'skipped')])
  })

  it('tells a file that could not be loaded', () => {
    const text = report([0, 0], { name: '/p/a.js', status: 'failed', message: 'Cannot find x', assertionResults: [] })
    expect(readJestReport(text)).toEqual({
      cases: [{ name: '/p/a.js', file: '/p/a.js', status: 'failed', kind: 'collection', message: 'Cannot find x' }],
      flaw: null,
    })
  })

  it('has a flaw when its counts are not those of its tests', () => {
    const text = report([1, 0], { name: '/p/a.js', status: 'failed', assertionResults: [failed('AssertionError: x')] })
    expect(readJestReport(text).flaw).toBe('it counts 1 passed and 0 failed, and lists 0 and 1')
  })

  it.each(['', '{', '[]', 'null', '{"testResults": 1}', '{"testResults": [1]}'])('%j is refused', (text) => {
    expect(() => readJestReport(text)).toThrow()
  })
})
