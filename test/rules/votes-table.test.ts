import { describe, expect, it } from 'vitest'
import { voteTable } from '../../src/rules/votes-table.js'
import { tallyVotes } from '../../src/rules/votes.js'
import { ballots, type Said, votesAgainst } from '../support/votes-ballots.js'

function tableOf(votes: Said[], rest?: Record<string, unknown>): string {
  const input = ballots(votes, rest)
  return voteTable(input, tallyVotes(input))
}

describe('voteTable', () => {
  it('shows the verdict, the counts, and every vote with its weight under why or dissent', () => {
    const votes: Said[] = [
      { by: 'anna', against: '方案甲', sure: 'High', why: '太慢' },
      { by: 'ben', against: '方案甲', sure: 'Low' },
      { by: 'cara', against: 'B', why: 'unsafe' },
      { by: 'dan' },
    ]
    expect(tableOf(votes, { candidates: ['方案甲', 'B', 'C'] })).toBe(
      [
        'eliminated: 方案甲 (reached the threshold of 2)',
        'consensus: weak (50 % of 4 votes)',
        '',
        'CANDIDATE    VOTES  WEIGHT  RESULT',
        '方案甲           2       2  eliminated',
        'B                1       1  survives',
        'C                0       0  survives',
        '(abstained)      1',
        '',
        'Why',
        '  anna against 方案甲 (High, 1.5): 太慢',
        '  ben against 方案甲 (Low, 0.5): gave no reason',
        '',
        'Dissent',
        '  cara against B (Medium, 1): unsafe',
        '  dan abstained: gave no reason',
      ].join('\n'),
    )
  })

  it('says what was missing when nobody goes, and lists all votes', () => {
    const table = tableOf([{ by: 'anna', against: 'A' }], { require_unanimous: true, candidates: ['A', 'B'] })
    expect(table).toMatch(/^nobody is eliminated: no candidate reached the threshold of 2 with every vote\n/)
    expect(table).toMatch(/\n\nVotes\n {2}anna against A \(Medium, 1\): gave no reason$/)
  })

  it('warns of a tie that would leave nobody', () => {
    const table = tableOf([...votesAgainst('A', 2), ...votesAgainst('B', 2)])
    expect(table).toContain(
      '\na tie: all 2 candidates reach the threshold, nobody would be left; vote again or ask a person\n',
    )
    expect(table).toMatch(/\n\nConflicts\n {2}A: tie: all 2 .*\n {2}B: tie: all 2 [^\n]*$/)
  })

  it('says that no survivor is known when the input names one candidate only', () => {
    expect(tableOf(votesAgainst('A', 2))).toContain('\nno survivor is known: ')
  })

  it('does not round agreement up to a level it is not', () => {
    const table = tableOf([...votesAgainst('A', 7999), ...votesAgainst(null, 2001)])
    expect(table).toContain('consensus: moderate (79.9 % of 10000 votes)')
  })

  it('keeps names and reasons from steering the terminal', () => {
    const table = tableOf([{ by: 'an\u001b[2Jna', against: 'A\nB', why: 'one\ntwo\u202e' }, { against: 'A\nB' }])
    expect(table).toContain('an [2Jna against A B (Medium, 1): one two\n')
    expect(table).not.toContain('\u001b')
    expect(table).not.toContain('\u202e')
  })
})
