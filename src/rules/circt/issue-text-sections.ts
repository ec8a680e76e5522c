import { notesOf } from './issue-text-error.js'
import type { IssueFacts } from './issue-text-facts.js'
import { codeBlock, codeSpan, cutLines, folded, prose } from './issue-text-safety.js'
import { saidOf } from './issue-text-said.js'
import { scrub } from './issue-text-scrub.js'
import { passName } from './keywords.js'
import { isDeath } from './signature.js'
import { isUnlegalised } from './title.js'
import { triggerOf } from './trigger.js'

/** The sections of an issue, each null when there is nothing to say, each bounded so that all together stay below GitHub's limit. */

export function descriptionSection(facts: IssueFacts): string {
  const { order, analysis, errorLog } = facts
  const { signature } = order.minimize
  const tool = codeSpan(order.case.command.tool, 40)
  const pass = passName(signature.failing_pass ?? analysis?.failing_pass ?? '')
  const place = pass === '' ? '' : ` in the pass ${codeSpan(pass, 120)}`
  const message = saidOf(signature, errorLog)
  const said = message === null ? '' : `: ${codeSpan(message, 300)}`
  if (order.validate?.result === 'feature_request')
    return `## Feature request\n\n${tool} rejects the input below${place}${said}.${acceptedBy(facts)}`
  const signal = signature.signal === null ? '' : ` (${codeSpan(signature.signal, 20)})`
  const happens = isUnlegalised(signature) ? 'cannot legalise IR of its own making' : verbs[signature.kind]
  return `## Description\n\n${tool} ${happens}${place}${signal} on the input below${said}.${elsewhere(facts)}`
}

function acceptedBy({ validation }: IssueFacts): string {
  const tools = Object.entries(validation?.cross_tool_validation ?? {}).filter(([, status]) => status === 'pass')
  const names = tools.map(([name]) => codeSpan(name, 60)).join(' and ')
  return names === '' ? '' : ` ${names} accepts it, so this asks for support of it.`
}

/** The assertion that error.txt reports from another build. */
function elsewhere({ order, analysis }: IssueFacts): string {
  const assertion = analysis?.assertion_message ?? null
  const { kind } = order.minimize.signature
  if (assertion === null || kind === 'assertion' || !isDeath(kind)) return ''
  return ` A build with assertions fails one: ${codeSpan(clean(assertion), 300)}.`
}

const verbs = {
  crash: 'crashes',
  assertion: 'fails an assertion',
  verifier_error: 'makes IR that its own verifier rejects',
  fatal_error: 'ends with a fatal error',
  diagnostic: 'reports an error that looks wrong',
  hang: 'does not come to an end',
  memory: 'uses memory without bound',
  runaway: 'has to be stopped',
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
  return line
    .trim()
    .replace(/^\S*[\\/]/, '')
    .replaceAll('{input}', testCaseName)
}

export function testCaseSection({ testCase, testCaseName }: IssueFacts): string {
  const cut = cutLines(scrub(testCase, 'source'), { lines: 1000, characters: 26_000 })
  const block = codeBlock(cut.text, languageOf(testCaseName))
  return ['## Test Case', '', `${codeSpan(testCaseName, 20)}:`, '', block, ...notesOf([cut])].join('\n')
}

function languageOf(name: string): string {
  const extension = name.split('.').at(-1) ?? ''
  return { sv: 'systemverilog', fir: 'firrtl', mlir: 'mlir' }[extension] ?? ''
}

/** The failing pass by itself, on the IR that reaches it. */
export function onePassSection({ onePass, identities }: IssueFacts): string | null {
  const [, command, ir] = /^\/\/ (.+)\n([\s\S]+)$/.exec(onePass ?? '') ?? []
  // One that time left unreduced says less than the test case.
  if (command === undefined || ir === undefined || ir.split('\n').length > 60) return null
  const cut = cutLines(scrub(ir, 'source'), { lines: 60, characters: 6000 })
  const line = codeBlock(scrub(command, 'output', identities), 'sh')
  return [
    '## Reduced MLIR',
    '',
    'The same failure with the pass alone:',
    '',
    line,
    '',
    codeBlock(cut.text, 'mlir'),
    ...notesOf([cut]),
  ].join('\n')
}

export function rootCauseSection({ analysis, order, testCase }: IssueFacts): string | null {
  const best = analysis?.hypotheses[0]
  if (analysis === null || best === undefined) return null
  const sources = analysis.suggested_sources.slice(0, 3)
  const trigger = triggerOf(order.case.language, testCase)
  const left = trigger === null ? [] : [`what is left of the test case: ${trigger}`]
  return [
    '## Root Cause',
    '',
    `${prose(clean(best.description), 800)} (a hypothesis, confidence ${best.confidence})`,
    ...list(
      'Evidence:',
      [...best.evidence.slice(0, 6), ...left].map((each) => prose(clean(each), 300)),
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

/** Only when the test case was really made from something else. */
export function originalSection({ original, testCase, order }: IssueFacts): string | null {
  if (original.trim() === testCase.trim()) return null
  const cut = cutLines(scrub(original, 'source'), { lines: 300, characters: 10_000 })
  const block = codeBlock(cut.text, languageOf(`original.${order.case.language}`))
  const { original_lines, minimized_lines } = order.minimize
  const summary = `Original source (${original_lines} lines, minimized to ${minimized_lines})`
  return folded(summary, [block, ...notesOf([cut])].join('\n'))
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
