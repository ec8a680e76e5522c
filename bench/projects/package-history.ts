import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../test/support/git-repository.js'
import type { PublicPackage } from './public-package.js'

/** Commits of one branch, each by what its tree holds. */
export interface PackageHistory {
  untouched: string
  /** The function is broken; all tests are there. */
  broken: string
  /** Broken, and the tests of the function are not written yet. */
  untested: string
  /** Their author writes them: what a tester's commit is. */
  tested: string
  /** A coder changes the file, not the fault. */
  tried: string
  /** The function is whole again. */
  restored: string
  /** Whole, without the tests, and the commit that adds them: tests that pass at once. */
  whole: string
  testedLate: string
}

export function historyOf({ edit, tests }: PublicPackage, folder: string): PackageHistory {
  git(folder, 'init', '--quiet', '--initial-branch=main')
  const source = join(folder, edit.file)
  const whole = readFileSync(source, 'utf8')
  if (whole.split(edit.find).length !== 2) throw new Error(`${edit.file}: expected ${edit.find} once`)
  const broken = whole.replace(edit.find, () => edit.replace)
  const texts = tests.map((path) => [join(folder, path), readFileSync(join(folder, path))] as const)
  const commit = (message: string, text: string, hasTests = true) => {
    writeFileSync(source, text)
    for (const [path, content] of texts)
      if (hasTests) writeFileSync(path, content)
      else rmSync(path, { force: true })
    git(folder, 'add', '--all', '--force')
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', message)
    return git(folder, 'rev-parse', 'HEAD')
  }
  return {
    untouched: commit('untouched', whole),
    broken: commit('broken', broken),
    untested: commit('untested', broken, false),
    tested: commit('tested', broken),
    tried: commit('tried', `${broken}\n`),
    restored: commit('restored', whole),
    whole: commit('whole', whole, false),
    testedLate: commit('tested late', whole),
  }
}
