import { describe, expect, it } from 'vitest'
import { parseIssueSnapshot } from '../../../src/tools/github/issue-list.js'
import { anIssue } from '../../support/circt-analysis.js'

describe('a snapshot of issues', () => {
  it('keeps what fits and names what does not', () => {
    const entries = [
      anIssue(1),
      null,
      { number: 2 },
      { ...anIssue(3), labels: 'none' },
      anIssue(4, { pull_request: {} }),
    ]
    const list = parseIssueSnapshot(JSON.stringify(entries), 'issues.json')
    expect(list.issues.map(({ number }) => number)).toEqual([1, 4])
    expect(list.skipped.map((each) => each.split(':')[0])).toEqual(['entry 1', 'entry 2 (#2)', 'entry 3 (#3)'])
  })

  it('keeps an issue whose body and labels GitHub left out', () => {
    const { number, title, state, html_url } = anIssue(1)
    const list = parseIssueSnapshot(JSON.stringify([{ number, title, state, html_url, body: null }]), 'issues.json')
    expect(list.issues).toEqual([{ number, title, state, html_url, body: null, labels: [] }])
  })

  it.each(['', '{"items":[]}', '[{', 'null', 'PK\u0003\u0004'])(
    'a file that is no array is refused by name: %j',
    (text) => {
      expect(() => parseIssueSnapshot(text, 'issues.json')).toThrow(
        expect.objectContaining({ type: 'Contract.Violated' }),
      )
      expect(() => parseIssueSnapshot(text, 'issues.json')).toThrow(/^issues\.json .*expected/)
    },
  )
})
