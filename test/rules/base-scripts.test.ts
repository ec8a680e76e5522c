import { describe, expect, it } from 'vitest'
import { baseScripts } from '../../src/rules/base-scripts.js'

describe('the scripts an attempt is judged by', () => {
  it.each([
    ['are its own when it changed none', { test: 'a' }, { test: 'a', extra: 'b' }, { test: 'a', extra: 'b' }, []],
    [
      'are those of the base when it changed them',
      { test: 'vitest', lint: 'eslint' },
      { test: 'true', lint: 'eslint' },
      { test: 'vitest', lint: 'eslint' },
      ['test'],
    ],
    ['are those of the base when it removed them', { lint: 'eslint' }, {}, { lint: 'eslint' }, ['lint']],
    [
      'have no new hooks around those of the base',
      { test: 'vitest' },
      { test: 'vitest', pretest: 'rm -r test', postother: 'x' },
      { test: 'vitest', postother: 'x' },
      ['pretest'],
    ],
    ['may have hooks around new ones', {}, { build: 'tsc', prebuild: 'x' }, { build: 'tsc', prebuild: 'x' }, []],
  ] as const)('%s', (_what, base, own, scripts, kept) => {
    expect(baseScripts(base, own)).toEqual({ scripts, kept })
  })
})
