import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { qualityJunit } from '../../src/rules/quality-junit.js'
import { qualityOf } from '../../src/rules/quality.js'
import { readXml } from '../../src/rules/test-report-xml.js'
import { someReport } from '../support/gates-report.js'

describe('the gates as JUnit XML', () => {
  it('is a case for each gate and one for the whole', () => {
    const root = readXml(qualityJunit(someReport({})))
    expect(root.attributes).toEqual({ tests: '8', failures: '0', errors: '0', time: '10.500' })
    expect(root.children[0]?.children.map((each) => each.attributes['name'])).toEqual([
      'build',
      'test',
      'coverage',
      'lint',
      'security',
      'e2e',
      'acceptance',
      'overall',
    ])
  })

  it('tells a failure, an error and what was skipped apart, and counts them', () => {
    const xml = qualityJunit(someReport({ test: 'fail', security: 'unavailable', e2e: 'skipped' }))
    const suite = readXml(xml).children[0]
    expect(suite?.attributes).toMatchObject({ failures: '2', errors: '1', skipped: '1' })
    const tags = suite?.children.map((each) => each.children[0]?.name ?? 'pass')
    expect(tags).toEqual(['pass', 'failure', 'pass', 'pass', 'error', 'skipped', 'pass', 'failure'])
  })

  it('is an error as a whole when nothing failed but the tests were not measured', () => {
    const suite = readXml(qualityJunit(someReport({ test: 'skipped' }))).children[0]
    expect(suite?.children.at(-1)?.children[0]).toMatchObject({
      name: 'error',
      attributes: { message: 'unverified: no tests were measured: of test' },
    })
  })

  it('does not fail for what does not block', () => {
    const report = { ...someReport({ lint: 'fail' }), config: qualityOf('fast'), overallStatus: 'pass' as const }
    const mild = { ...report, lint: { ...report.lint, isBlocking: false } }
    expect(qualityJunit(mild)).not.toMatch(/<failure|<error/)
  })

  it('is well formed whatever a command printed, and says the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (tail, details) => {
        const report = someReport({ test: 'fail' })
        const hostile = { ...report, test: { ...report.test, tail: `x${tail}`, details } }
        const test = readXml(qualityJunit(hostile)).children[0]?.children[1]
        const printable = (text: string) => text.replaceAll(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '?')
        expect(test?.children[0]?.attributes['message']).toBe(printable(details))
        expect(test?.children[1]?.text).toBe(`x${printable(tail)}`)
      }),
    )
  })
})
