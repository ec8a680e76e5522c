import { issueCaveats } from './issue-text-caveats.js'
import { errorSection, stackSection } from './issue-text-error.js'
import type { IssueFacts } from './issue-text-facts.js'
import { saidOf } from './issue-text-said.js'
import {
  descriptionSection,
  environmentSection,
  onePassSection,
  originalSection,
  relatedSection,
  rootCauseSection,
  stepsSection,
  testCaseSection,
} from './issue-text-sections.js'
import { componentOf } from './title-component.js'
import { issueTitle } from './title.js'
import { triggerOf } from './trigger.js'

export interface IssueDraft {
  title: string
  labels: string[]
  /** Markdown, below GitHub's limit of 65,536 characters by the limits of its sections. */
  body: string
}

/** The report a maintainer reads (background 2.4, and the README of the real cases). The same facts give the same bytes. */
export function issueDraft(facts: IssueFacts): IssueDraft {
  const isFeatureRequest = facts.order.validate?.result === 'feature_request'
  const sections = [
    descriptionSection(facts),
    stepsSection(facts),
    testCaseSection(facts),
    onePassSection(facts),
    errorSection(facts),
    rootCauseSection(facts),
    environmentSection(facts),
    stackSection(facts),
    originalSection(facts),
    relatedSection(facts),
    caveatsSection(facts),
    assistedBy(facts),
  ]
  const { case: bugCase, minimize } = facts.order
  return {
    title: issueTitle({
      analysis: facts.analysis,
      signature: minimize.signature,
      tool: bugCase.command.tool,
      isFeatureRequest,
      said: saidOf(minimize.signature, facts.errorLog),
      trigger: triggerOf(bugCase.language, facts.testCase),
    }),
    labels: labelsOfIssue(facts, isFeatureRequest),
    body: `${sections.filter((section) => section !== null).join('\n\n')}\n`,
  }
}

function caveatsSection(facts: IssueFacts): string | null {
  const caveats = issueCaveats(facts)
  return caveats.length === 0 ? null : ['## Caveats', '', ...caveats.map((caveat) => `- ${caveat}`)].join('\n')
}

/** Seed 002's siblings: dialect, kind of crash, found-by-fuzzing; a feature request is none of the latter two. */
function labelsOfIssue({ analysis, order, errorText }: IssueFacts, isFeatureRequest: boolean): string[] {
  const dialect = analysis?.dialect ?? null
  const own = dialect === null ? [] : [componentOf(dialect, '')]
  if (isFeatureRequest) return [...own, 'enhancement']
  return [...own, kindLabels[order.minimize.signature.kind], ...(isFromFuzzer(errorText) ? ['found-by-fuzzing'] : [])]
}

const kindLabels = {
  crash: 'crash',
  assertion: 'crash',
  fatal_error: 'crash',
  hang: 'hang',
  runaway: 'hang',
  memory: 'hang',
  verifier_error: 'bug',
  diagnostic: 'bug',
  interesting: 'bug',
  none: 'bug',
} as const

/** The fuzzer's error.txt has headings that no compiler prints; two of them are no accident. */
function isFromFuzzer(errorText: string): boolean {
  const headings = [/^Crash Type:/m, /^Hash:/m, /^Original Program File:/m, /^--- Compilation Command ---/m]
  return headings.filter((heading) => heading.test(errorText)).length >= 2
}

/** LLVM's policy: text made with a tool's help says so. Names the programs whose words are in the report. */
function assistedBy({ analysis, errorLog, minimizeReport }: IssueFacts): string {
  const hasDebugger = (analysis?.frames.length ?? 0) > 0 && !/^\s*#\d+ /m.test(errorLog)
  const others = [...(minimizeReport.includes('circt-reduce') ? ['circt-reduce'] : []), ...(hasDebugger ? ['gdb'] : [])]
  return ['---', '', `Assisted-by: ${['Gauntlet (reducer, root cause rules)', ...others].join(', ')}`].join('\n')
}
