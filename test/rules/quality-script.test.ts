import { describe, expect, it } from 'vitest'
import { isPlaceholder, lastCommand, programOf } from '../../src/rules/quality-script.js'

describe('a script of package.json', () => {
  it.each<[script: string, program: string, isPlain: boolean]>([
    ['vitest', 'vitest', true],
    ['vitest run --coverage', 'vitest', true],
    ['tsc -p . && vitest run', 'vitest', false],
    ['npx jest', 'jest', false],
    ['cross-env NODE_ENV=test jest --runInBand', 'jest', false],
    ['NODE_ENV=test node --test', 'node', false],
    ['node --test test/', 'node', true],
    ["node --test 'test/**/*.js'", 'node', false],
    ['node --test *.js', 'node', false],
    ['node_modules/.bin/vitest run', 'vitest', true],
    ['echo "a && b"; eslint "src dir"', 'eslint', false],
    ['', '', false],
  ])('%j ends in %j', (script, program, isPlain) => {
    const command = lastCommand(script)
    expect([programOf(command), command.isPlain]).toEqual([program, isPlain])
  })

  it('keeps quoted words whole', () => {
    expect(lastCommand('eslint "src dir" lib').words).toEqual(['eslint', 'src dir', 'lib'])
  })

  it("is a placeholder when it is npm's own", () => {
    expect(isPlaceholder('echo "Error: no test specified" && exit 1')).toBe(true)
    expect(isPlaceholder('node --test')).toBe(false)
  })
})
