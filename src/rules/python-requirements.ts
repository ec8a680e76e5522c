export interface Requirements {
  /** One each, with their hashes. */
  requirements: readonly string[]
  /** Further files of requirements (`-r`) and of constraints (`-c`), as they are named. */
  files: readonly string[]
  constraints: readonly string[]
  /** Lines that are not followed: options, and the project itself or other folders. */
  left: readonly string[]
}

/**
 * Reads a file of pip's requirements. Where to fetch from is the person's to say, not the project's, so options are left out; so
 * are folders, since making a package of one would run its code.
 */
export function readRequirements(text: string): Requirements {
  const found = {
    requirements: [] as string[],
    files: [] as string[],
    constraints: [] as string[],
    left: [] as string[],
  }
  for (const line of logicalLines(text)) {
    const [, option, named] = /^(-r|--requirement|-c|--constraint)[ =]?\s*(\S+)$/.exec(line) ?? []
    if (option !== undefined && named !== undefined)
      (/^-{1,2}r/.test(option) ? found.files : found.constraints).push(named)
    else if (isPackage(line)) found.requirements.push(line)
    else found.left.push(line)
  }
  return found
}

function logicalLines(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
}

/** A name with what PEP 508 allows behind it; never a path, a URL or an option. */
function isPackage(line: string): boolean {
  const [, rest] = /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?\s*(.*)$/.exec(line) ?? []
  return rest !== undefined && /^(?:\[[\w\s,.-]*\]\s*)?(?:$|[<>=!~(;]|--hash)/.test(rest)
}
