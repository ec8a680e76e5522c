import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { searchPhrases, searchQuery } from '../../../src/rules/circt/search-phrases.js'
import { anAnalysis } from '../../support/circt-analysis.js'

it('asks for the assertion, the pass and own functions first, at most six times', () => {
  const phrases = searchPhrases(
    anAnalysis({
      assertion_message: 'a very long assertion text that goes on and on',
      failing_pass: 'LowerLayersPass',
      frames: ['circt::a::firstOne()', 'circt::a::secondOne()', 'circt::a::thirdOne()'],
      keywords: ['keyword-one', 'keyword-two', 'keyword-three'],
    }),
  )
  expect(phrases).toEqual([
    'a very long assertion text tha',
    'LowerLayers',
    'firstOne',
    'secondOne',
    'keyword-one',
    'keyword-two',
  ])
})

it('has nothing to ask when nothing is known', () => {
  expect(searchPhrases(anAnalysis())).toEqual([])
})

it('leaves no way for a phrase to act as a qualifier of the query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (phrase) => {
      const query = searchQuery('llvm/circt', phrase)
      expect(query.length).toBeLessThanOrEqual(256)
      expect(query).toMatch(/^repo:llvm\/circt is:issue "[^"\\]*"$/)
    }),
    { numRuns: 60 },
  )
})
