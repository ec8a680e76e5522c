import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Files, freshFolder, git, put } from './git-repository.js'

/** What lies in a folder, a line for each thing with its mode, moment and content; what the engine may write is left out. */
export function photographOf(folder: string, leftOut = ['.openmatrix']): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const kept = paths.filter((path) => !leftOut.some((name) => path === name || path.startsWith(`${name}/`)))
  return kept.sort().map((path) => {
    const { mode, mtimeMs } = lstatSync(join(folder, path))
    return `${path} ${mode.toString(8)} ${mtimeMs} ${contentOf(join(folder, path))}`
  })
}

function contentOf(path: string): string {
  const stats = lstatSync(path)
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
}

/** Id of the tree that HEAD has once these files are written. */
export function treeWith(repository: string, files: Files): string {
  const folder = join(freshFolder(), 'copy')
  git(repository, 'clone', '--quiet', '--no-hardlinks', repository, folder)
  put(folder, files)
  git(folder, 'add', '--all')
  return git(folder, 'write-tree')
}

/** All refs of a run repository without the run's own id, each with the tree it leads to. */
export function refsOf(repository: string, runId: string): Record<string, string> {
  const lines = git(repository, 'for-each-ref', '--format=%(refname) %(tree)').split('\n')
  const named = lines.map((line) => line.replace(runId, 'RUN').split(' '))
  return Object.fromEntries(named.map(([ref = '', tree = '']) => [ref, tree]))
}
