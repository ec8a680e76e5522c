import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundedOutput } from '../../../src/tools/process/bounded-output.js'

it('keeps everything up to twice its limit, whatever the chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary-ascii', maxLength: 9 }), { maxLength: 30 }), (chunks) => {
      const whole = chunks.join('')
      const output = fill(10, chunks)
      expect(output.bytes()).toBe(whole.length)
      const [start, end] = [whole.slice(0, 10), whole.slice(10).slice(-10)]
      const missing = whole.length - start.length - end.length
      expect(output.text()).toBe(missing === 0 ? whole : `${start}\n[${missing} bytes left out]\n${end}`)
    }),
  )
})

it('shows bytes that are no UTF-8 as replacement characters', () => {
  const output = boundedOutput(10)
  output.push(Buffer.from([0x61, 0xff, 0x62]))
  expect(output.text()).toBe('a\uFFFDb')
})

it('joins a character that came in two chunks', () => {
  const output = boundedOutput(2)
  for (const byte of Buffer.from('aé')) output.push(Buffer.from([byte]))
  expect(output.text()).toBe('aé')
})

function fill(limit: number, chunks: readonly string[]) {
  const output = boundedOutput(limit)
  for (const chunk of chunks) output.push(Buffer.from(chunk, 'latin1'))
  return output
}
