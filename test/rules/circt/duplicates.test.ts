import { describe, expect, it } from 'vitest'
import { DuplicatesFile } from '../../../src/contracts/circt-files.js'
import { duplicatesReport } from '../../../src/rules/circt/duplicates-report.js'
import { judgeDuplicates, unknownDuplicates } from '../../../src/rules/circt/duplicates.js'
import { anAnalysis, anIssue } from '../../support/circt-analysis.js'

const timestamp = '2026-01-28T14:00:00.000Z'
const analysis = anAnalysis({
  dialect: 'calyx',
  failing_pass: 'SCFToCalyxPass',
  frames: ['circt::scftocalyx::BuildControl::buildCFGControl(int)'],
  keywords: ['declaration', 'callee'],
})
const twin = anIssue(7, {
  title: 'SCFToCalyx dies in buildCFGControl on a declaration',
  body: 'a callee: buildCFGControl',
  labels: ['Calyx'],
})
const stranger = anIssue(8, { title: 'Something else', body: 'callee' })

describe('the verdict on duplicates', () => {
  it('ranks the twin first, names what agrees, and fits its contract', () => {
    const verdict = judgeDuplicates({ analysis, issues: [stranger, twin], problem: null, timestamp })
    expect(DuplicatesFile.parse(verdict.file)).toEqual(verdict.file)
    expect(verdict.file.results.issues.map(({ number }) => number)).toEqual([7, 8])
    expect(verdict.file.recommendation).toMatchObject({ action: 'review_existing', confidence: 'high' })
    expect(verdict.corroborated_by).toEqual(['failing pass', 'own function'])
  })

  it('finds nothing new to be new when the list is whole', () => {
    const { file } = judgeDuplicates({ analysis, issues: [stranger], problem: null, timestamp })
    expect(file.recommendation.action).toBe('new_issue')
  })

  it('never says "new" after a search that broke off', () => {
    const reasonOf = (issues: Parameters<typeof judgeDuplicates>[0]['issues']) => {
      const { file } = judgeDuplicates({ analysis, issues, problem: 'connection lost', timestamp })
      expect(file.recommendation).toMatchObject({ action: 'unknown', confidence: 'low' })
      return file.recommendation.reason
    }
    expect(reasonOf([])).toBe('connection lost')
    expect(reasonOf([stranger])).toMatch(/^connection lost; .*\b1 issues/)
  })

  it('still shows a duplicate that a broken search found', () => {
    const { file } = judgeDuplicates({ analysis, issues: [twin], problem: 'connection lost', timestamp })
    expect(file.recommendation.action).toBe('review_existing')
    expect(file.recommendation.reason).toContain('connection lost')
  })

  it('prefers among equals the one that has more in common than words, then the newer', () => {
    const bare = anAnalysis({ frames: ['buildCFGControl(int)'], keywords: ['aaaa', 'bbbb'] })
    const issues = [1, 2, 3].map((number) => anIssue(number, { title: number === 2 ? 'buildCFGControl' : 'aaaa' }))
    const { file } = judgeDuplicates({ analysis: bare, issues, problem: null, timestamp })
    expect(file.results.issues.map(({ number }) => number)).toEqual([2, 3, 1])
  })

  it('keeps five issues and bounds their texts', () => {
    const issues = Array.from({ length: 9 }, (_, at) =>
      anIssue(at + 1, {
        title: `callee ${'x'.repeat(1000)}`,
        body: 'y'.repeat(10_000),
        html_url: 'javascript:alert(1)',
      }),
    )
    const { file } = judgeDuplicates({ analysis, issues, problem: null, timestamp })
    expect(file.results.issues).toHaveLength(5)
    expect(file.results.total_found).toBe(9)
    expect(file.results.issues[0]?.title).toHaveLength(300)
    expect(file.results.issues[0]?.body).toHaveLength(1000)
    expect(file.results.issues[0]?.url).toBe('')
  })
})

describe('duplicates.md', () => {
  it('shows titles as text, never as markup', () => {
    const evil = anIssue(3, { title: 'callee `</code>\n# @everyone <img src=x> [a](http://b)', labels: ['Calyx'] })
    const { file } = judgeDuplicates({ analysis, issues: [evil], problem: null, timestamp })
    const report = duplicatesReport(file)
    expect(report).toContain('``callee `</code> # @everyone <img src=x> [a](http://b)``')
    expect(report.split('\n').filter((line) => line.startsWith('# '))).toEqual(['# Duplicate check'])
  })

  it('says why nothing is known', () => {
    expect(duplicatesReport(unknownDuplicates('the search could not run', timestamp))).toContain(
      'the search could not run',
    )
  })
})
