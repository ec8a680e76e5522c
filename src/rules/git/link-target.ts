/**
 * True when a symbolic link of a repository can only lead to a place inside of it, judged by its words: `..` may stand at the
 * beginning only, because behind a name it would go up from wherever that name leads, and `.git` is not part of the tree.
 * @param path of the link, relative
 */
export function linkStaysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /[\p{Cc}\\]/u.test(target)) return false
  const steps = target.split('/').filter((step) => step !== '.' && step !== '')
  const down = steps.findIndex((step) => step !== '..')
  const ups = down === -1 ? steps.length : down
  const names = steps.slice(ups)
  const folders = path.split('/').slice(0, -1)
  if (ups > folders.length || names.includes('..')) return false
  const places = [...folders.slice(0, folders.length - ups), ...names]
  return !places.some((name) => name.toLowerCase() === '.git')
}
