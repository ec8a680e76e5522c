import type { AnalysisFile } from '../../contracts/circt-files.js'
import { fixDirectionsOf } from './analysis-hypotheses.js'
import { cluesOf } from './analysis.js'
import { printable } from './issue-text-safety.js'

export interface ReportContext {
  /** The command with the published name of the source. */
  command: string
  toolVersion: string | null
  /** First lines of the failing run's stderr (or of error.txt), already free of paths of this machine. */
  errorHead: string
  /** How many lines the reproducer has, or null. */
  reproducerLines: number | null
}

/** root_cause.md: the nine sections of the seed's sibling, from analysis.json alone. */
export function analysisReport(analysis: AnalysisFile, context: ReportContext): string {
  const sections: [string, string[]][] = [
    ['Executive Summary', summaryOf(analysis)],
    ['Crash Context', contextOf(analysis, context)],
    ['Error Analysis', errorOf(analysis, context)],
    ['Test Case Analysis', testCaseOf(analysis, context)],
    ['CIRCT Source Analysis', sourcesOf(analysis)],
    ['Hypotheses', analysis.hypotheses.flatMap(hypothesis)],
    ['Fix Directions', fixesOf(analysis)],
    ['Keywords', [analysis.keywords.map((word) => `\`${word}\``).join(', ') || 'none']],
    ['Related Files', relatedOf(analysis)],
  ]
  const body = sections.map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}\n`)
  // A tool's own words are in it: nothing that a terminal would obey, and nothing that hides.
  return printable(`# Root cause\n\n${body.join('\n')}`)
}

function summaryOf(analysis: AnalysisFile): string[] {
  const pass =
    analysis.failing_pass === null ? 'outside any pass that could be named' : `in the pass \`${analysis.failing_pass}\``
  const dialect = analysis.dialect === null ? '' : ` (dialect \`${analysis.dialect}\`)`
  const degraded = analysis.degraded
    ? ['', 'Degraded: read from error.txt alone, since the full analysis did not come to an end.']
    : []
  return [
    `${articleFor(analysis.crash_type)} ${analysis.crash_type.replace('_', ' ')} ${pass}${dialect}. ${analysis.hypotheses[0]?.description ?? ''}`,
    ...degraded,
  ]
}

function articleFor(word: string): string {
  return /^[aeiou]/.test(word) ? 'An' : 'A'
}

function contextOf(analysis: AnalysisFile, context: ReportContext): string[] {
  const { file, function: name, line } = analysis.crash_location
  return [
    `- Command: \`${context.command}\``,
    `- Tool version: ${context.toolVersion ?? 'unknown'}`,
    `- Dialect: ${analysis.dialect ?? 'unknown'}`,
    `- Failing pass: ${analysis.failing_pass ?? 'unknown'}`,
    `- Crash type: ${analysis.crash_type}`,
    `- Location: ${[file, line, name].filter((part) => part !== null).join(', ') || 'unknown'}`,
  ]
}

function errorOf(analysis: AnalysisFile, context: ReportContext): string[] {
  const frames = analysis.frames.map((frame, index) => `${index}. \`${frame}\``)
  const stack =
    frames.length === 0 ? ['No stack is known.'] : ['Frames, innermost first, without plumbing:', '', ...frames]
  const message = analysis.assertion_message ?? analysis.signature?.message ?? null
  const head =
    context.errorHead.trim() === '' ? [] : ['', '```text', context.errorHead.replaceAll('```', "'''").trimEnd(), '```']
  return [...(message === null ? [] : [`Message: \`${message}\``, '']), ...stack, ...head]
}

function testCaseOf({ test_case: test }: AnalysisFile, context: ReportContext): string[] {
  const reproducer =
    context.reproducerLines === null ? [] : [`- The IR before the failing pass has ${context.reproducerLines} lines.`]
  return [
    `- Language: ${test.language}`,
    `- Key constructs: ${test.key_constructs.map((each) => `\`${each}\``).join(', ') || 'none found'}`,
    `- Patterns: ${test.problematic_patterns.join('; ') || 'none found'}`,
    ...reproducer,
  ]
}

function sourcesOf({ suggested_sources: sources }: AnalysisFile): string[] {
  return sources.length === 0
    ? ['Nothing points at a file.']
    : sources.map(({ path, reason }) => `- \`${path}\`: ${reason}`)
}

function hypothesis(
  { description, confidence, evidence }: AnalysisFile['hypotheses'][number],
  index: number,
): string[] {
  return [`${index + 1}. ${description} (${confidence})`, ...evidence.map((each) => `   - ${each}`)]
}

function fixesOf(analysis: AnalysisFile): string[] {
  const clues = cluesOf(analysis, {
    failingPass: analysis.failing_pass,
    frames: analysis.frames,
    assertion: analysis.assertion_message,
    keyConstructs: analysis.test_case.key_constructs,
    problematicPatterns: analysis.test_case.problematic_patterns,
  })
  return fixDirectionsOf(clues).map((fix) => `- ${fix}`)
}

function relatedOf({ suggested_sources: sources }: AnalysisFile): string[] {
  return sources.length === 0 ? ['None.'] : sources.map(({ path }) => `- \`${path}\``)
}
