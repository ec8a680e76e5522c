import type { CommitStamp } from '../../contracts/git.js'

/** Author and committer are the same: the engine commits. */
export function stampEnv({ name, email, at }: CommitStamp): Record<string, string> {
  const date = `@${Math.floor(Date.parse(at) / 1000)} +0000`
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  }
}
