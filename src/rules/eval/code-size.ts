/** What a reader of some code has to get through. */
export interface CodeSize {
  /** Of at most 80 columns, without blank ones and comments: a long line counts as several. */
  lines: number
  /** Places where the course of the program may turn. */
  branches: number
  /** The same, each counted once more for every block around it. */
  weighted: number
  /** Deepest block. */
  depth: number
}

/** Which files are counted; others (data, documents) are not code. */
export function isCode(path: string): boolean {
  return CODE.test(path) && !/(?:^|\/)(?:node_modules|\.git)\//.test(path)
}

const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|h|cc|cpp|hpp|cs|swift|scala|php|rb|sh|lua)$/

/**
 * Counts by the letters alone, without parsing: comments and the insides of texts are taken out first, blocks are braces, or the indentation
 * of Python. Right for comparing solutions of one task in one language, not for judging one by itself.
 */
export function codeSize(path: string, source: string): CodeSize {
  const bare = withoutTexts(source, path)
  const byIndent = path.endsWith('.py')
  const size: CodeSize = { lines: 0, branches: 0, weighted: 0, depth: 0 }
  let open = 0
  for (const line of bare.split('\n')) {
    const text = line.trim()
    if (text === '') continue
    size.lines += Math.ceil(text.length / COLUMNS)
    const outer = byIndent ? Math.floor((line.length - line.trimStart().length) / INDENT) : open
    const branches = text.match(BRANCHES)?.length ?? 0
    size.branches += branches
    size.weighted += branches * (1 + Math.max(0, outer - 1)) + Math.max(0, nestedChoices(text))
    if (!byIndent) open = Math.max(0, open + countOf(text, '{') - countOf(text, '}'))
    size.depth = Math.max(size.depth, outer, open)
  }
  return size
}

const COLUMNS = 80
const INDENT = 4

const BRANCHES = /\b(?:if|for|while|case|catch|except|elif|when|match)\b|&&|\|\||\?\?|\?(?![.?:])/g

/** Every conditional expression of a line after its first is nested in another, or might as well be. */
function nestedChoices(text: string): number {
  return (text.match(/\?(?![.?:])/g)?.length ?? 0) - 1
}

function countOf(text: string, letter: string): number {
  return text.split(letter).length - 1
}

function withoutTexts(source: string, path: string): string {
  const isHash = /\.(?:py|rb|sh)$/.test(path)
  return source.replaceAll(isHash ? HASH_TEXTS : SLASH_TEXTS, (text) =>
    // Line breaks stay, so that lines are lines; what a text says is not read.
    text.startsWith('/') || text.startsWith('#') ? text.replaceAll(/[^\n]/g, '') : `"${text.replaceAll(/[^\n]/g, '')}"`,
  )
}

// Each also matches what is never closed, up to the end of the line or the file: so every letter is read once.
const SLASH_TEXTS =
  /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*["\\]?|'(?:\\.|[^'\\\n])*['\\]?|`(?:\\[^]|[^`\\])*[`\\]?/g
const HASH_TEXTS = /"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|#[^\n]*|"(?:\\.|[^"\\\n])*["\\]?|'(?:\\.|[^'\\\n])*['\\]?/g
