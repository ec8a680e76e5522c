import { expect, it } from 'vitest'
import type { ProcessOutcome } from '../../../src/contracts/process.js'
import { stopWords } from '../../../src/tools/circt/reproduce-log.js'

it.each<[Pick<ProcessOutcome, 'stopped' | 'refused'>, string[]]>([
  [{ stopped: null, refused: [] }, []],
  [{ stopped: 'output', refused: [] }, ['stopped: output']],
  [{ stopped: null, refused: ['write_outside'] }, ['refused: a write outside its folder']],
  [{ stopped: null, refused: ['network'] }, ['refused: the network']],
  [{ stopped: 'network', refused: ['network'] }, ['stopped: it reached for the network']],
  [
    { stopped: 'time', refused: ['write_outside', 'network'] },
    ['stopped: time', 'refused: a write outside its folder', 'refused: the network'],
  ],
])('%j is said as %j, each once', (outcome, words) => {
  expect(stopWords(outcome)).toEqual(words)
})
