import { describe, expect, it } from 'vitest'
import { hasGraveVulnerability, readNpmAudit } from '../../src/rules/quality-audit.js'

const counts = { info: 0, low: 1, moderate: 2, high: 0, critical: 0, total: 3 }

describe("npm's audit", () => {
  it('is read by its counts', () => {
    const report = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: counts } }
    expect(readNpmAudit(JSON.stringify(report))).toEqual({ critical: 0, high: 0, moderate: 2, low: 1, info: 0 })
  })

  it.each([
    ['an empty answer', '', 'the audit service gave no answer'],
    ['half a JSON', '{"metadata": {', 'the audit service gave no answer'],
    ['nothing', 'null', 'the audit service gave no answer'],
    [
      'counts that are none',
      JSON.stringify({ metadata: { vulnerabilities: { ...counts, high: 'none' } } }),
      /no answer$/,
    ],
    ['counts with one missing', '{"metadata":{"vulnerabilities":{"high":0,"critical":0}}}', /no answer$/],
    [
      'an error of the registry',
      JSON.stringify({ message: 'request to https://registry.example/-/npm failed\nmore', error: { summary: '' } }),
      'the audit service gave no answer (request to the registry failed)',
    ],
    ['a missing lockfile', '{"error":{"code":"ENOLOCK","summary":"no lockfile"}}', /\(no lockfile\)$/],
  ])('%s is a problem and never a clean bill', (_, text, problem) => {
    const read = readNpmAudit(text)
    if (!('problem' in read)) throw new Error('expected a problem')
    expect(read.problem).toMatch(problem)
  })

  it.each([
    [{ critical: 0, high: 0 }, false],
    [{ critical: 1, high: 0 }, true],
    [{ critical: 0, high: 1 }, true],
  ])('%j is grave: %s', (grave, expected) => {
    expect(hasGraveVulnerability({ ...grave, moderate: 9, low: 9, info: 9 })).toBe(expected)
  })
})
