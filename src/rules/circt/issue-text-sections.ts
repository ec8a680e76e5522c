import type { IssueFacts } from './issue-text-facts.js'
import { type Cut, codeBlock, codeSpan, cutLines, folded, prose } from './issue-text-safety.js'
import { scrub } from './issue-text-scrub.js'
import { passName } from './keywords.js'

/** The sections of an issue, each null when there is nothing to say, each bounded so that all together stay below GitHub's limit. */

export function descriptionSection({ order, analysis }: IssueFacts): string {
  const { signature } = order.minimize
  const { tool } = order.case.command
  const pass = passName(signature.failing_pass ?? analysis?.failing_pass ?? '')
  const place = pass === '' ? '' : ` in the pass ${codeSpan(pass, 120)}`
  const said = signature.message === null ? '' : `: ${codeSpan(clean(signature.message), 300)}`
  if (order.validate?.result === 'feature_request') {
    const ask = `${codeSpan(tool, 40)} rejects the input below${place}${said}. Another tool accepts it, so this asks for support of it.`
    return `## Feature request\n\n${ask}`
  }
  const signal = signature.signal === null ? '' : ` (${codeSpan(signature.signal, 20)})`
  return `## Description\n\n${codeSpan(tool, 40)} ${verbs[signature.kind]}${place}${signal} on the input below${said}.`
}

const verbs = {
  crash: 'crashes',
  assertion: 'fails an assertion',
  verifier_error: 'makes IR that its own verifier rejects',
  fatal_error: 'ends with a fatal error',
  diagnostic: 'reports an error that looks wrong',
  hang: 'does not come to an end',
  memory: 'uses memory without bound',
  interesting: 'misbehaves (as the check that came with the case defines it)',
  none: 'misbehaves',
} as const

function clean(text: string): string {
  return scrub(text, 'output')
}

/** One command; the input is the test case by its own name. */
export function stepsSection({ command, testCaseName, identities }: IssueFacts): string {
  const line = commandLine(command, testCaseName)
  return `## Steps to Reproduce\n\n${codeBlock(scrub(line, 'output', identities).slice(0, 2000), 'sh')}`
}

/** The program without its folder, `{input}` as the file of the test case. */
function commandLine(command: string, testCaseName: string): string {
  const line = command.split('\n').find((each) => each.trim() !== '' && !each.startsWith('#')) ?? ''
  const [program = '', ...args] = line.trim().split(/\s+/)
  return [program.split(/[\\/]/).at(-1) ?? '', ...args].join(' ').replaceAll('{input}', testCaseName)
}

export function testCaseSection({ testCase, testCaseName }: IssueFacts): string {
  const cut = cutLines(scrub(testCase, 'source'), { lines: 1000, characters: 26_000 })
  const block = codeBlock(cut.text, languageOf(testCaseName))
  return ['## Test Case', '', `${codeSpan(testCaseName, 20)}:`, '', block, ...noteOf(cut)].join('\n')
}

function languageOf(name: string): string {
  const extension = name.split('.').at(-1) ?? ''
  return { sv: 'systemverilog', fir: 'firrtl', mlir: 'mlir' }[extension] ?? ''
}

function noteOf({ note }: Cut): string[] {
  return note === null ? [] : ['', note]
}

export function errorSection({ errorLog, identities }: IssueFacts): string {
  const said = scrub(withoutStack(errorLog), 'output', identities)
  if (said.trim() === '') return '## Error Output\n\nThe tool says nothing before it ends.'
  const cut = cutLines(said, { lines: 30, characters: 6000 })
  return ['## Error Output', '', codeBlock(cut.text, 'text'), ...noteOf(cut)].join('\n')
}

/** The stack has its own section. */
function withoutStack(log: string): string {
  return log
    .split('\n')
    .filter((line) => !isFrame(line))
    .join('\n')
}

function isFrame(line: string): boolean {
  return /^\s*#\d+\s/.test(line)
}

export function rootCauseSection({ analysis }: IssueFacts): string | null {
  const best = analysis?.hypotheses[0]
  if (analysis === null || best === undefined) return null
  const sources = analysis.suggested_sources.slice(0, 3)
  return [
    '## Root Cause',
    '',
    `${prose(clean(best.description), 800)} (a hypothesis, confidence ${best.confidence})`,
    ...list(
      'Evidence:',
      best.evidence.slice(0, 6).map((each) => prose(clean(each), 300)),
    ),
    ...list(
      'Suspected sources:',
      sources.map(({ path, reason }) => `${codeSpan(relative(path), 200)}: ${prose(clean(reason), 200)}`),
    ),
  ].join('\n')
}

/** A path in the compiler's own tree says more than its last name. */
function relative(path: string): string {
  const inTree = path
    .replaceAll('\\', '/')
    .match(/(?:^|\/)((?:lib|include|tools|integration_test|test|frontends)\/.+)$/)
  return inTree?.[1] ?? scrub(path, 'output')
}

function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', heading, '', ...items.map((item) => `- ${item}`)]
}

/** The tool's version and nothing of the machine. */
export function environmentSection({ order }: IssueFacts): string {
  const { tool, version } = order.case.command
  const known = order.reproduce.tool_version ?? version
  const named = known === null ? 'of an unknown version' : codeSpan(`firtool-${known.replace(/^firtool-/, '')}`, 60)
  return `## Environment\n\nCIRCT ${named}, ${codeSpan(tool, 40)}`
}

/** As the tool printed it, else the function names that the debugger saw. */
export function stackSection({ analysis, errorLog, identities }: IssueFacts): string | null {
  const printed = errorLog.split('\n').filter((line) => isFrame(line))
  const names = (analysis?.frames ?? []).map((frame, at) => `#${at} ${frame}`)
  const lines = printed.length > 0 ? printed : names
  if (lines.length === 0) return null
  const bounded = lines.map((line) => scrub(line, 'output', identities).slice(0, 300)).join('\n')
  const cut = cutLines(bounded, { lines: 40, characters: 8000 })
  return folded('Stack Trace', [codeBlock(cut.text, 'text'), ...noteOf(cut)].join('\n'))
}

/** Only when the test case was really made from something else. */
export function originalSection({ original, testCase, order }: IssueFacts): string | null {
  if (original.trim() === testCase.trim()) return null
  const cut = cutLines(scrub(original, 'source'), { lines: 300, characters: 10_000 })
  const block = codeBlock(cut.text, languageOf(`original.${order.case.language}`))
  const { original_lines, minimized_lines } = order.minimize
  const summary = `Original source (${original_lines} lines, minimized to ${minimized_lines})`
  return folded(summary, [block, ...noteOf(cut)].join('\n'))
}

/** The best three, and every one that scores 8 or more. A lower score than 2 is chance, and naming an issue is seen by its people. */
export function relatedSection({ duplicates }: IssueFacts): string | null {
  const issues = (duplicates?.results.issues ?? []).filter(
    ({ similarity_score }, at) => similarity_score >= 2 && (at < 3 || similarity_score >= 8),
  )
  if (issues.length === 0) return null
  const lines = issues.map(({ number, title, state, similarity_score }) => {
    const standing = similarity_score >= 8 ? ', a possible duplicate' : ''
    return `- #${number} ${codeSpan(title, 200)} (${prose(state, 20)}, similarity ${similarity_score}${standing})`
  })
  return ['## Related Issues', '', ...lines].join('\n')
}
