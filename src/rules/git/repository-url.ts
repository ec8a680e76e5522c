/** How git reaches a repository: through the file system of this machine, or over a network. */
export type Transport = { kind: 'local'; path: string } | { kind: 'remote'; url: string }

/**
 * Why git must not be given this text as a repository, as an expectation; null when it may. Only transports that cannot name a
 * program are known; a password in the text would end in histories and logs.
 */
export function repositoryUrlProblem(url: string): string | null {
  if (/[\p{Cc}\u2028\u2029]/u.test(url)) return 'expected no control characters'
  if (url.startsWith('-')) return 'expected a path or URL, which does not begin with a dash'
  if (url.startsWith('/')) return null
  const [, scheme = ''] = /^([A-Za-z][\w+.-]*):\/\//.exec(url) ?? []
  if (scheme === 'file') return fileProblem(url)
  if (scheme !== '') return remoteProblem(url, scheme)
  return HOST_AND_PATH.test(url) ? null : 'expected an absolute path, file, https, http, ssh or git URL, or HOST:PATH'
}

/** `host:path` of ssh; "::" would name a program of git's own that speaks for another transport. */
const HOST_AND_PATH = /^(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*:(?!:)[^:-][^:]*$/

function fileProblem(url: string): string | null {
  const path = /^file:\/\/\/(?!\/)/.test(url) ? decoded(url) : null
  return path === null || path.includes('\0') ? 'expected file:///PATH' : null
}

function remoteProblem(url: string, scheme: string): string | null {
  if (!REMOTE_SCHEMES.includes(scheme)) return `expected one of file, ${REMOTE_SCHEMES.join(', ')}`
  const authority = url.slice(scheme.length + 3).split(/[/?#]/, 1)[0] ?? ''
  const at = authority.lastIndexOf('@')
  const person = authority.slice(0, Math.max(0, at))
  // A token is often given as the name alone.
  const isSecret = person.includes(':') || (person !== '' && scheme !== 'ssh')
  if (isSecret) return 'expected no password or token in the URL: keep it in ~/.netrc or an ssh agent'
  return /^[A-Za-z0-9[][\w.:[\]-]*$/.test(authority.slice(at + 1)) ? null : 'expected a host'
}

/** What git is allowed to speak besides `file`. */
export const REMOTE_SCHEMES: readonly string[] = ['https', 'http', 'ssh', 'git']

/** For a URL without a problem. */
export function transportOf(url: string): Transport {
  if (url.startsWith('/')) return { kind: 'local', path: url }
  const path = url.startsWith('file://') ? decoded(url) : null
  return path === null ? { kind: 'remote', url } : { kind: 'local', path }
}

function decoded(url: string): string | null {
  try {
    return decodeURIComponent(url.slice('file://'.length))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** Text with the name and password of every URL in it left out: of messages, git's own included. */
export function redactUrls(text: string): string {
  return text.replaceAll(/\b([A-Za-z][\w+.-]*:\/\/)[^\s/?#'"<>]*@/g, '$1***@')
}
