import { describe, expect, it } from 'vitest'
import { createEslintAnalyser } from '../../../src/tools/linters/eslint-analyser.js'
import { createMetricsAnalyser } from '../../../src/tools/linters/metrics-analyser.js'

const analyse = createEslintAnalyser()

async function rulesOf(path: string, text: string): Promise<string[]> {
  return (await analyse({ path, text })).map(({ rule }) => rule)
}

describe('the rules of ESLint that are chosen', () => {
  it.each([
    ['js/exponential-regexp', 'export const r = /^(a+)+$/'],
    ['regexp/no-super-linear-backtracking', 'export const r = (t) => /^\\s*(.*?)\\s*$/.test(t)'],
    ['regexp/no-super-linear-move', "export const r = (t) => t.replace(/\\s+$/, '')"],
    ['no-eval', 'eval(x)'],
    ['no-unsanitized/method', "a.insertAdjacentHTML('beforeend', x)"],
    ['no-unsanitized/property', 'a.innerHTML = x'],
  ])('tell %s of %s', async (rule, text) => {
    expect(await rulesOf('a.js', text)).toEqual(expect.arrayContaining([rule]))
  })

  it.each([
    ['a check of a number that bounds itself', 'export const r = /^\\d+(?:\\.\\d+)?$/'],
    ['a list of names', 'export const r = /^electron((\\d+)(?:\\.(\\d+))?)?-(main|preload)$/'],
    ['a part of a pattern', 'export const space = /\\s*/.source'],
    ['an assignment that a loop asks for', 'while ((match = re.exec(text))) f(match)\nwhile (node = next()) f(node)'],
    ['a number compared with itself', 'export const isNaN = (x) => x !== x'],
    ['a module that is loaded when it is needed', 'export const load = (name) => import(name)'],
  ])('say nothing of %s', async (_, text) => {
    expect(await rulesOf('a.js', text)).toEqual([])
  })

  it('go on where one of them stumbles over the text', async () => {
    const text = 'declare class A {\n  get name(): string\n}\nclass B {\n  get x() { if (a) return 1 }\n}\neval(y)\n'
    expect(await rulesOf('a.ts', text)).toContain('no-eval')
    const metrics = createMetricsAnalyser()
    expect(await metrics({ path: 'a.ts', text })).toEqual([])
  })

  it('name what they cannot read', () => {
    expect(() => analyse({ path: 'a.js', text: 'function (' })).toThrow('cannot be read')
  })
})
