import { execFileSync } from 'node:child_process'

/** bubblewrap's version like '0.8.0', or null when the program at `path` does not say one. Asked once per path. */
export function bwrapVersion(path: string): string | null {
  const known = versions.get(path)
  if (known !== undefined) return known
  const version = /\d+\.\d+(?:\.\d+)?/.exec(firstWords(path))?.[0] ?? null
  versions.set(path, version)
  return version
}

const versions = new Map<string, string | null>()

/** True for bubblewrap 0.`minor` and later; what it was taught when decides which arguments it knows. */
export function isBwrapSince(path: string, minor: number): boolean {
  const [ofMajor = 0, ofMinor = 0] = (bwrapVersion(path) ?? '').split('.').map(Number)
  return ofMajor > 0 || ofMinor >= minor
}

function firstWords(path: string): string {
  try {
    return execFileSync(path, ['--version'], {
      encoding: 'utf8',
      timeout: 5000,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch (error) {
    // What is wrong with it shows when a program is to run in it.
    if (error instanceof Error) return ''
    throw error
  }
}
