import { fitPath } from './fit-path.js'

/** What `git merge-tree --write-tree --name-only -z --no-messages` says: the tree, and which files are in conflict. */
export interface MergedTree {
  tree: string
  /** As JSON strings where a name cannot travel. */
  conflicts: readonly string[]
}

/** Throws `Error` for anything that git does not write. */
export function readMergeOutput(output: string): MergedTree {
  const [tree = '', ...rest] = output.split('\0')
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(tree)) throw new Error('expected the id of a tree')
  const end = rest.indexOf('')
  const names = rest.slice(0, end === -1 ? rest.length : end)
  return { tree, conflicts: [...new Set(names)].map(named) }
}

function named(name: string): string {
  const { path, shown } = fitPath(new TextEncoder().encode(name))
  return path ?? shown
}
