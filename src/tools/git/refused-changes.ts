import type { RawChange, RawChanges } from '../../rules/git/diff-output.js'
import { linkStaysInside } from '../../rules/git/link-target.js'
import type { Worktree } from './add-worktree.js'
import { runGit } from './run-git.js'
import type { Scan } from './scan-worktree.js'

export interface Staged {
  raw: RawChanges
  scan: Scan
  index: string
}

/** Why what was staged must not be committed, a line for each thing; empty when it may. What the base had already is let be. */
export async function refusedChanges(worktree: Worktree, staged: Staged): Promise<string[]> {
  const { changes, misfits } = staged.raw
  if (changes.length + misfits.length > maxChanges) return [`more than ${maxChanges} files were changed`]
  const present = changes.filter(({ mode }) => mode !== GONE)
  return [
    ...misfits.slice(0, 20).map((name) => `${name} is a name that cannot be carried on: use plain UTF-8 on one line`),
    ...present.filter(isNestedRepository).map(({ change }) => `${shown(change.path)} is a git repository of its own`),
    ...clashing(present, staged.scan),
    ...(await leadingOut(worktree, present)),
    ...(staged.scan.hasAttributes ? await filtered(worktree, present, staged.index) : []),
  ]
}

const maxChanges = 5000
const GONE = '000000'
const LINK = '120000'
const REPOSITORY = '160000'

function isNestedRepository({ mode }: RawChange): boolean {
  return mode === REPOSITORY
}

/** A new name that differs from another in case only cannot be checked out on every machine. */
function clashing(present: readonly RawChange[], { clashes }: Scan): string[] {
  const isNew = ({ change }: RawChange) => change.action === 'create' || change.action === 'rename'
  return present.filter(isNew).flatMap(({ change: { path } }) => {
    const others = (clashes.get(path.toLowerCase()) ?? []).filter((each) => each !== path)
    return others.length === 0 ? [] : [`${shown(path)} differs from ${shown(others[0] ?? '')} in case only`]
  })
}

async function leadingOut({ mirror }: Worktree, present: readonly RawChange[]): Promise<string[]> {
  const links = present.filter(({ mode }) => mode === LINK)
  if (links.length > maxLinks) return [`more than ${maxLinks} symbolic links were changed`]
  const reasons: string[] = []
  for (const { change, blob } of links) {
    const target = await runGit(mirror.git, { args: ['cat-file', 'blob', blob], repository: mirror.folder })
    if (linkStaysInside(change.path, target)) continue
    reasons.push(`${shown(change.path)} is a symbolic link that leads out of the repository`)
  }
  return reasons
}

const maxLinks = 50

/**
 * Files that a program of the project's own should turn into what git keeps (LFS, git-crypt): none is run here, and committing
 * them as they are would put large or secret content where a pointer or a cipher belongs.
 */
async function filtered(worktree: Worktree, present: readonly RawChange[], index: string): Promise<string[]> {
  const { mirror, folder } = worktree
  const reasons: string[] = []
  const paths = present.filter(({ mode }) => mode !== LINK).map(({ change }) => change.path)
  for (let at = 0; at < paths.length; at += atOnce) {
    const stdout = await runGit(mirror.git, {
      args: ['check-attr', '--cached', '-z', '--stdin', 'filter'],
      repository: mirror.folder,
      workTree: folder,
      index,
      cwd: folder,
      readable: [worktree.privateFolder],
      stdin: paths
        .slice(at, at + atOnce)
        .map((path) => `${path}\0`)
        .join(''),
    })
    const fields = stdout.split('\0')
    for (let field = 0; field + 2 < fields.length; field += 3) {
      const [path = '', , value = ''] = fields.slice(field, field + 3)
      if (NO_FILTER.includes(value)) continue
      reasons.push(`${shown(path)} must pass the filter ${shown(value)}, which is not run here`)
    }
  }
  return reasons
}

const atOnce = 500
const NO_FILTER = ['unspecified', 'unset', 'set', '']

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 120))
}
