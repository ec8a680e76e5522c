/** One `file:line:column: severity: message` of a compiler. */
export interface Diagnostic {
  /** As printed; null for `<unknown>`. */
  file: string | null
  line: number | null
  column: number | null
  severity: 'error' | 'warning' | 'note'
  message: string
}

/**
 * The diagnostics among a compiler's lines, at most `MAX_DIAGNOSTICS`, in order. What the crash reproducer adds ("Failures have been
 * detected …") is left out: it repeats that something failed. A usage error of the command line (`firtool: Unknown command line argument`)
 * counts as an error without a place.
 */
export function diagnosticsOf(lines: readonly string[]): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const line of lines) {
    if (found.length === MAX_DIAGNOSTICS) break
    const diagnostic = diagnosticOf(line)
    if (diagnostic !== null && !REPRODUCER_WORDS.test(diagnostic.message)) found.push(diagnostic)
  }
  return found
}

/** True for what an operation's own verifier, a legalisation or a pass says about IR: a user who wrote no IR cannot have caused it. */
export function isVerifierMessage(message: string): boolean {
  return VERIFIER_WORDS.some((words) => words.test(message))
}

/** True for what a parser says about a text it cannot read, as against what is wrong with a text that it can. */
export function isSyntaxMessage(message: string): boolean {
  return /^(?:expected|unexpected|unterminated|invalid (?:token|character|indentation)|illegal character|missing )/i.test(
    message,
  )
}

const MAX_DIAGNOSTICS = 500
const REPRODUCER_WORDS = /^(?:Failures have been detected while processing|Pipeline failed while executing)/

const VERIFIER_WORDS = [
  /^'[a-z_]+\.[\w.]+' op /,
  /failed to legalize (?:operation|unresolved materialization)/,
  /unresolved materialization from/,
  /failed to verify/,
  /does not dominate this use/,
  /operand #\d+ does not dominate/,
  /block with no terminator/,
  /expects? different type than prior uses/,
]

function diagnosticOf(line: string): Diagnostic | null {
  const severityAt = SEVERITY.exec(line)
  if (severityAt === null) return usageErrorOf(line)
  const place = placeOf(line.slice(0, severityAt.index))
  if (place === null) return null
  const severity = severityOf(severityAt[1])
  return { ...place, severity, message: line.slice(severityAt.index + severityAt[0].length).trim() }
}

const SEVERITY = /\b(fatal error|error|warning|note): /

function severityOf(word: string | undefined): Diagnostic['severity'] {
  return word === 'warning' || word === 'note' ? word : 'error'
}

/** What stands before the severity: a location, a tool's name, or nothing. Anything else is prose. */
function placeOf(prefix: string): Pick<Diagnostic, 'file' | 'line' | 'column'> | null {
  const text = prefix
    .trim()
    .replace(/^loc\(/, '')
    .replace(/\):?$/, '')
    .replaceAll('"', '')
  if (text === '' || /^[\w./-]+:$/.test(text)) return { file: null, line: null, column: null }
  const place = /^(.{1,400}?):(\d{1,9})(?::(\d{1,9}))?:?$/.exec(text)
  if (place === null) return null
  const file = place[1] ?? null
  if (file === '<unknown>' || file === 'unknown') return { file: null, line: null, column: null }
  return { file, line: Number(place[2]), column: place[3] === undefined ? null : Number(place[3]) }
}

const USAGE =
  /^(?:[\w./-]{1,300}: )?(?:Unknown command line argument|for the --?[\w-]{1,80} option: |cannot open input file |[Cc]ould not open input file)/

function usageErrorOf(line: string): Diagnostic | null {
  if (!USAGE.test(line.slice(0, 500))) return null
  const message = line.replace(/ {2}Try: .*$/, '').replace(/^[\w./-]{1,300}: (?=Unknown|for the)/, '')
  return { file: null, line: null, column: null, severity: 'error', message }
}
