import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { parseJson } from '../../src/contracts/parse.js'

describe('parseJson', () => {
  it.each([
    ['1e999', 'Infinity'],
    ['-1e999', '-Infinity'],
    ['"12"', '"12"'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'something nested too deeply'],
  ])('says of %.20s that it got %s', (text, came) => {
    const Small = z.object({ size: z.number({ error: 'expected a number' }) })
    expect(() => parseJson(Small, `{"size":${text}}`, 'file')).toThrow(
      expect.objectContaining({ message: `file: size: expected a number, got ${came}` }),
    )
  })

  it('says once what came, as it was written', () => {
    expect(() => parseJson(z.array(z.string()), '{"a":1}', 'file')).toThrow(
      expect.objectContaining({ message: 'file: (document): expected array, got {"a":1}' }),
    )
  })
})
