export interface AttemptName {
  /** The run's own id. */
  run: string
  /** What is published: 'TASK-001', 'develop'. */
  step: string
  /** From 0. */
  round: number
}

/** Where one result of one round is published, once: `refs/gauntlet/RUN/STEP/ROUND`. Different names are different refs. */
export function attemptRef({ run, step, round }: AttemptName): string {
  return `${attemptPrefix(run)}${refPart(step)}/${round}`
}

/** Everything a run published lies below. */
export function attemptPrefix(run: string): string {
  return `refs/gauntlet/${refPart(run)}/`
}

/** A branch of a run: `refs/heads/gauntlet/RUN/NAME`. */
export function branchRef({ run, name }: { run: string; name: string }): string {
  return `${branchPrefix(run)}${refPart(name)}`
}

export function branchPrefix(run: string): string {
  return `refs/heads/gauntlet/${refPart(run)}/`
}

/** The commit a run began with. */
export function baseRef(run: string): string {
  return attemptRef({ run, step: 'base', round: 0 })
}

/**
 * Any text as one part of a ref's name. Letters, digits, `_`, `-` and a dot between two of them stand for themselves, everything
 * else is written as the hexadecimal of its UTF-8 bytes, so that no two texts meet. Throws `RangeError` for what a file's name
 * cannot hold.
 */
function refPart(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
  const part = bytes.replaceAll(NOT_PLAIN, (byte) => `=${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
  // A ref is a file while it is loose, with ".lock" behind it while it is written.
  if (part === '' || part.length > longestPart) throw new RangeError(`expected 1 to ${longestPart} characters of a ref`)
  return part
}

const longestPart = 240

/** A leading dash would look like an option to whoever gives a part to a program; git takes no name that ends in ".lock". */
const NOT_PLAIN = /^-|(?<![A-Za-z0-9])\.|\.(?![A-Za-z0-9])|\.(?=lock$)|[^\w.-]/g
