/**
 * Takes the user's machine out of a text that is to be published: absolute paths become their last name, home folders and `user@host` go.
 * A compiler's output may be cut anywhere; a source must still mean the same, so there only what cannot be a division is taken for a path.
 */
export function scrub(text: string, kind: 'output' | 'source', identities: readonly string[] = []): string {
  const prompts = kind === 'output' ? text.replace(shellPrompt, 'user@host') : text
  const paths = prompts
    .replace(/\bfile:\/\/(?=\/)/gi, '')
    .replace(quotedPath, (_, quote: string, path: string) => `${quote}${baseName(path)}${quote}`)
    .replace(windowsPath, (path) => baseName(path))
    .replace(kind === 'output' ? outputPath : sourcePath, (path) => baseName(path))
    .replace(/~[\w.-]*(?:\/[\w.+@~-]+)+/g, (path) => baseName(path))
  return kind === 'output' ? withoutIdentities(paths, identities) : commentsWithoutPaths(paths)
}

/** `ann@wopr:~/x$`: only while the folder is still there can it be told from a symbol's name. */
const shellPrompt = /\b[a-z_][\w.-]{0,63}@[\w.-]{1,255}(?=:[~/])/gi

/** `"/home/ann lee/a.sv"`: only between quotation marks can a path hold spaces. */
const quotedPath = /(["'])((?:file:\/\/)?\/[^"'\n/]+\/[^"'\n]*)\1/g

/** Drive letters, both slashes, and network shares. */
const windowsPath = /(?<![\w])(?:[A-Za-z]:[\\/]|\\\\[\w.$-]+\\)(?:[^\s\\/"'<>|:*?]+[\\/])*[^\s\\/"'<>|:*?)\]]*/g

/** In a compiler's output: a slash that follows no word, then at least two names. */
const outputPath = /(?<![\w.:/~)\]%-])\/(?:[^\s/"'`<>()[\]{},;:|*?]+\/)+[^\s/"'`<>()[\]{},;:|*?]*/g

/** In a source, right after an opening bracket or quotation mark, or below a folder that only a path begins with. */
const sourcePath =
  /(?:(?<=["'`[(<])\/(?:[^\s/"'`<>()[\]{},;:|*?]+\/)+|(?<![\w.:/~)\]%-])\/(?:home|Users|root|tmp|var|opt|usr|mnt|work|workspace|data|nfs|srv|etc|private|Volumes|scratch|proj|projects?)\/(?:[^\s/"'`<>()[\]{},;:|*?]+\/)*)[^\s/"'`<>()[\]{},;:|*?]*/g

/** The last name of a path; of a home folder itself nothing, for its last name is the user's. */
function baseName(path: string): string {
  const names = path.split(/[\\/]+/).filter((name) => name !== '')
  const isHome = names.length === 2 && /^(?:home|Users)$/i.test(names[0] ?? '')
  return isHome || names.length === 0 ? 'HOME' : (names.at(-1) ?? '')
}

function commentsWithoutPaths(text: string): string {
  return text.replace(/(?:\/\/|;|^[ \t]*#).*$/gm, (comment) => comment.replace(outputPath, (path) => baseName(path)))
}

function withoutIdentities(text: string, identities: readonly string[]): string {
  const telling = identities.filter((name) => name.length >= 3 && !plainNames.has(name.toLowerCase()))
  return telling.reduce((rest, name) => rest.replace(wholeWord(name), 'USER'), text)
}

function wholeWord(name: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])${name.replace(/[^\p{L}\p{N}_\s]/gu, String.raw`\$&`)}(?![\\p{L}\\p{N}_])`,
    'giu',
  )
}

/** Names of accounts and machines that tell nothing about a person, and are words of compilers too. */
const plainNames = new Set(
  'root user admin runner ubuntu debian build builder docker circleci jenkins node nobody main test host localhost work circt llvm mlir'.split(
    ' ',
  ),
)
