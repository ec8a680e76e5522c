import { describe, expect, it } from 'vitest'
import { shortList } from '../../../src/rules/review/short-list.js'
import { finding } from '../../support/review-finding.js'
import { filteredIssue, report } from '../../support/review-report.js'

const long =
  'Found child_process.exec() with a first argument that is no fixed text. Whoever decides a part of it may run programs of their own.'

describe('the short list', () => {
  it('tells the worst first: place, quoted line, what is wrong; then what is not in it, and why', () => {
    const worst = finding({
      severity: 'Critical',
      rule: 'js/no-exec',
      existingCode: '\n  exec(a)\n  b()',
      flags: ['advice'],
    })
    const low = finding({ severity: 'Low', suggestionContent: long, flags: ['unverified'] })
    const given = report([low, worst], [filteredIssue(), filteredIssue({ reason: 'duplicate' })], {
      missing: ['the verification is missing after 3 retries: no key'],
    })
    expect(shortList(given, 80)).toEqual([
      'Critical  src/a.js:3  Security, js/no-exec',
      '  > exec(a) …',
      '  eval runs what it is given. Parse it instead.',
      '',
      'Low       src/a.js:3  Security, unverified',
      '  > eval(x)',
      '  Found child_process.exec() with a first argument that is no fixed text.',
      '  Whoever decides a part of it may run programs of their own.',
      '',
      'filtered: 1 quotation not found, 1 duplicate',
      'missing: the verification is missing after 3 retries: no key',
      'ruff unavailable: not installed',
      'not reviewed: 1 (--format markdown)',
    ])
  })

  it.each([20, 40, 80, 200])('fits %i columns but for words that are longer', (width) => {
    const given = report([finding({ suggestionContent: long, existingCode: `x = ${'y'.repeat(300)}`, rule: 'a/rule' })])
    const tooLong = shortList(given, width).filter((line) => line.length > width)
    expect(tooLong.flatMap((line) => line.trim().split(' ')).filter((word) => word.length <= width - 2)).toEqual([])
  })

  it('lets no text of a stranger steer the terminal', () => {
    const hostile = finding({
      relevantFile: 'a\u001b[2J.js',
      suggestionContent: 'x\u001b]0;title\u0007\r\n\nHigh  fake.js:1',
      existingCode: '\u009b31m red',
      rule: 'r\u0000',
    })
    expect(shortList(report([hostile]), 80).join('\n')).not.toMatch(/(?!\n)\p{Cc}/u)
  })
})
