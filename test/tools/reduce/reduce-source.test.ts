import { setTimeout as delay } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Oracle } from '../../../src/tools/reduce/oracle-cache.js'
import type { ReduceOrder } from '../../../src/tools/reduce/reduce-source.js'
import { reduceSource } from '../../../src/tools/reduce/reduce-source.js'

function order(text: string, oracle: Oracle, more: Partial<ReduceOrder> = {}): ReduceOrder {
  return {
    text,
    language: 'mlir',
    oracle,
    verify: null,
    parallelism: 2,
    maxRuns: 6000,
    isTimeUp: () => false,
    signal: new AbortController().signal,
    onBest: () => undefined,
    ...more,
  }
}

/** Interesting: all these words are there, and braces are balanced. A stand-in for a compiler with a bug. */
function needs(words: readonly string[]): (text: string) => boolean {
  return (text) => {
    const opened = text.split('{').length - text.split('}').length
    return opened === 0 && words.every((word) => new RegExp(`\\b${word}\\b`, 'u').test(text))
  }
}

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'omega']

const program = fc
  .array(fc.tuple(fc.constantFrom(...WORDS, 'x', 'y'), fc.constantFrom('', ' {', '}', ', %1', ' 64')), {
    maxLength: 25,
  })
  .map((lines) => balanced(lines.map(([word, end]) => (end === '}' ? `}\n${word}` : word + end))))

function balanced(lines: readonly string[]): string {
  let depth = 0
  const kept = lines.map((line) => {
    if (line.startsWith('}') && depth === 0) return line.slice(2)
    depth += line.endsWith('{') ? 1 : 0
    depth -= line.startsWith('}') ? 1 : 0
    return line
  })
  return [...kept, ...Array.from({ length: depth }, () => '}'), WORDS.join('\n')].join('\n')
}

describe('a reduction', () => {
  const bugs = fc.subarray(WORDS, { minLength: 1 })

  it('ends interesting and 1-minimal by line, whatever the source and the bug are', async () => {
    await fc.assert(
      fc.asyncProperty(program, bugs, async (text, words) => {
        const isInteresting = needs(words)
        const { text: small, isOneMinimal } = await reduceSource(
          order(text, async (candidate) => isInteresting(candidate)),
        )
        expect(isInteresting(small)).toBe(true)
        expect(isOneMinimal).toBe(true)
        const lines = small.split('\n')
        const shorter = lines.map((_line, index) => lines.toSpliced(index, 1).join('\n'))
        expect(
          shorter.filter((rest, index) => lines[index]?.trim() !== '' && isInteresting(rest) && rest.trim() !== ''),
        ).toEqual([])
      }),
      { numRuns: 40 },
    )
  })

  it('is the same for any parallelism and any order in which runs end', async () => {
    await fc.assert(
      fc.asyncProperty(
        program,
        bugs,
        fc.infiniteStream(fc.nat({ max: 2 })),
        fc.constantFrom(2, 3, 7),
        async (text, words, waits, parallelism) => {
          const isInteresting = needs(words)
          const oracle: Oracle = async (candidate) => {
            const ticks = waits.next().value ?? 0
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
            return isInteresting(candidate)
          }
          for (const maxRuns of [25, 6000]) {
            const alone = await reduceSource(order(text, oracle, { parallelism: 1, maxRuns }))
            const together = await reduceSource(order(text, oracle, { parallelism, maxRuns }))
            expect(together.text).toBe(alone.text)
            expect(together.end).toBe(alone.end)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  it('asks about no text twice', async () => {
    const asked: string[] = []
    await reduceSource(
      order(
        'alpha {\n  x\n  beta\n}\ny\ngamma',
        async (text) => {
          asked.push(text)
          return needs(['beta'])(text)
        },
        { parallelism: 1 },
      ),
    )
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('ends with the best so far when its allowance of runs is used up, and says so', async () => {
    const text = Array.from({ length: 40 }, (_value, index) => `line${index}`).join('\n')
    const result = await reduceSource(
      order(text, async (candidate) => needs(['line3', 'line20', 'line37'])(candidate), { maxRuns: 12 }),
    )
    expect(result).toMatchObject({ end: 'runs', isOneMinimal: false })
    expect(needs(['line3', 'line20', 'line37'])(result.text)).toBe(true)
  })

  it('ends with the best so far when time is up, and says so', async () => {
    let asked = 0
    const oracle: Oracle = async (text) => {
      asked += 1
      return needs(['beta'])(text)
    }
    const result = await reduceSource(order('alpha\nbeta\ngamma', oracle, { isTimeUp: () => asked > 3 }))
    expect(result).toMatchObject({ end: 'time', isOneMinimal: false })
  })

  it('undoes a pass that slipped to another bug, and goes on without slipping', async () => {
    const text = 'alpha\nbeta\ngamma\ndelta\n'
    const quick: Oracle = async (candidate) => candidate.includes('alpha') || candidate.includes('delta')
    const verify: Oracle = async (candidate) => candidate.includes('alpha') && candidate.includes('gamma')
    const result = await reduceSource(order(text, quick, { verify }))
    expect(result.text).toBe('alpha\ngamma\n')
    expect(result.passes.some((row) => row.wasRedone)).toBe(true)
    expect(result.isOneMinimal).toBe(true)
  })

  it('tells of every better text, the last one being the result', async () => {
    const told: string[] = []
    const result = await reduceSource(
      order('alpha\nbeta\ngamma', async (text) => needs(['beta'])(text), { onBest: (best) => told.push(best.text) }),
    )
    expect(told.at(-1)).toBe(result.text)
    expect(told.length).toBeGreaterThan(0)
  })

  it('throws the reason of its signal, when every run has ended', async () => {
    const controller = new AbortController()
    let open = 0
    const oracle: Oracle = async (_text, signal) => {
      open += 1
      await delay(10_000, undefined, { signal }).catch(() => delay(20))
      open -= 1
      return false
    }
    const reduction = reduceSource(order('alpha\nbeta', oracle, { signal: controller.signal }))
    setTimeout(() => controller.abort(new Error('stopped by a person')), 20)
    await expect(reduction).rejects.toThrow('stopped by a person')
    expect(open).toBe(0)
  })

  it('throws what the oracle throws', async () => {
    const broken: Oracle = async () => {
      throw new Error('no such tool')
    }
    await expect(reduceSource(order('alpha\nbeta', broken))).rejects.toThrow('no such tool')
  })
})
