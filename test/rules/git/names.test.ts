import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RelativePath } from '../../../src/contracts/artifact.js'
import { commitMessage } from '../../../src/rules/git/commit-message.js'
import { fitPath } from '../../../src/rules/git/fit-path.js'
import { gitVersionProblem } from '../../../src/rules/git/git-version.js'
import { linkStaysInside } from '../../../src/rules/git/link-target.js'
import { attemptPrefix, attemptRef, baseRef, branchRef } from '../../../src/rules/git/ref-names.js'

describe('a ref', () => {
  it('reads like what it names', () => {
    expect(attemptRef({ run: 'phase-1', step: 'TASK-001', round: 2 })).toBe('refs/gauntlet/phase-1/TASK-001/2')
    expect(branchRef({ run: 'r', name: 'result' })).toBe('refs/heads/gauntlet/r/result')
    expect(baseRef('r')).toBe('refs/gauntlet/r/base/0')
  })

  it.each([
    ['..', '=2e=2e'],
    ['a/b', 'a=2fb'],
    ['-d', '=2dd'],
    ['x.lock', 'x=2elock'],
    ['x.locked.1', 'x.locked.1'],
    ['.x.', '=2ex=2e'],
    ['a=2fb', 'a=3d2fb'],
    ['ü @{', '=c3=bc=20=40=7b'],
    ['new\nline', 'new=0aline'],
  ])('of %j has the part %s', (run, part) => {
    expect(attemptPrefix(run)).toBe(`refs/gauntlet/${part}/`)
  })

  it('of another name is another one, and only has characters that git allows', () => {
    const names = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    fc.assert(
      fc.property(names, names, (a, b) => {
        const [one, other] = [a, b].map((step) => attemptRef({ run: 'r', step, round: 0 }))
        expect(one).toMatch(/^refs\/gauntlet\/r\/[\w=](?:[\w=-]|(?<=[A-Za-z0-9])\.(?!lock\/)[A-Za-z0-9])*\/0$/)
        expect(one === other).toBe(a === b)
      }),
    )
  })

  it.each(['', 'x'.repeat(241), '.'.repeat(81)])(
    'of nothing, or of more than a file can be named, is refused',
    (step) => {
      expect(() => attemptRef({ run: 'r', step, round: 0 })).toThrow('expected 1 to 240 characters of a ref')
    },
  )
})

describe('a symbolic link', () => {
  it.each([
    ['l', 'a'],
    ['l', './a/./b/'],
    ['d/l', '../a'],
    ['d/e/l', '../../a/b'],
    ['d/l', '..'],
    ['l', 'a..b'],
    ['d/l', '../.github/x'],
  ])('%s to %s stays inside', (path, target) => {
    expect(linkStaysInside(path, target)).toBe(true)
  })

  it.each([
    ['l', '/etc/passwd'],
    ['l', '..'],
    ['l', '../x'],
    ['d/l', '../../x'],
    // `a` may be a link itself, and then this goes up from where that leads.
    ['d/l', 'a/../b'],
    ['l', 'a/..'],
    ['l', '.git/config'],
    ['d/l', '../.GIT/hooks'],
    ['l', ''],
    ['l', 'a\nb'],
    ['l', 'C:\\x'],
  ])('%s to %s may lead out', (path, target) => {
    expect(linkStaysInside(path, target)).toBe(false)
  })
})

describe('a name of git', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)

  it.each(['a', 'src/ü.ts', 'with blank', '.hidden', 'x'.repeat(300)])('travels as it is: %s', (name) => {
    expect(fitPath(bytes(name)).path).toBe(name)
  })

  it.each([
    ['new\nline', '"new\\nline"'],
    ['a\\b', '"a\\\\b"'],
    ['x'.repeat(301), `"${'x'.repeat(120)}"`],
    ['\u0085', JSON.stringify('\u0085')],
  ])('cannot travel, and is shown: %j', (name, shown) => {
    expect(fitPath(bytes(name))).toEqual({ path: null, shown })
  })

  it('that is no UTF-8 cannot travel', () => {
    expect(fitPath(new Uint8Array([97, 255, 254])).path).toBeNull()
  })

  it('that travels is one that the contract takes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (name) => {
        const { path } = fitPath(name)
        if (path !== null) expect(RelativePath.parse(path)).toBe(path)
      }),
    )
  })
})

describe('a commit message', () => {
  it.each([
    ['fix: a\r\n\r\nbody  \n\n', 'fix: a\n\nbody\n'],
    ['a\u0000b\u001b[31mc', 'ab[31mc\n'],
    [' \n', 'no message\n'],
    ['x'.repeat(20_000), `${'x'.repeat(10_000)}\n`],
  ])('of %j is plain, bounded and never empty', (text, message) => {
    expect(commitMessage(text)).toBe(message)
  })
})

describe('the version of git', () => {
  it.each([
    'git version 2.38.0',
    'git version 2.39.5 (Apple Git-154)',
    'git version 2.47.1.windows.1',
    'git version 3.0.0',
  ])('%s will do', (line) => {
    expect(gitVersionProblem(line)).toBeNull()
  })

  it.each([
    ['git version 2.37.9', 'expected git 2.38 or newer, got 2.37'],
    ['git version 1.99.0', 'expected git 2.38 or newer, got 1.99'],
    ['not git', 'expected git 2.38 or newer, got not git'],
  ])('%s will not', (line, problem) => {
    expect(gitVersionProblem(line)).toBe(problem)
  })
})
