/** The oldest git that merges without a worktree (`merge-tree --write-tree`). */
export const OLDEST_GIT = '2.38'

/** What is wrong with the git that says this of itself ('git version 2.39.5'), or null. */
export function gitVersionProblem(line: string): string | null {
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(line) ?? []
  if (major === undefined || minor === undefined) return `expected git ${OLDEST_GIT} or newer, got ${line.slice(0, 60)}`
  const [oldMajor = 0, oldMinor = 0] = OLDEST_GIT.split('.').map(Number)
  const isNew = Number(major) > oldMajor || (Number(major) === oldMajor && Number(minor) >= oldMinor)
  return isNew ? null : `expected git ${OLDEST_GIT} or newer, got ${major}.${minor}`
}
