import { ValidationFile } from '../../contracts/circt-files.js'
import type { ValidateOrder, ValidateResult } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { validationReport } from '../../rules/circt/classification-report.js'
import {
  classify,
  isKnownLimitation,
  isUnsupportedMessage,
  type Acceptance,
  type Classification,
  type ValidationFacts,
} from '../../rules/circt/classification.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { withoutMachinePaths } from '../../rules/reduce/machine-paths.js'
import { toolchainOf } from './case-source.js'
import type { CirctBox, Toolchain } from './circt-box.js'
import { askFrontEnd, askOthers, type Opinion } from './cross-tools.js'
import { runUntilShown } from './run-until-shown.js'

/**
 * Says what the reduced case is worth, by the ordered table of rules in `classify`; every fact in it is measured here. The front end and other
 * tools are asked about the user's own source too: a reduction may lose what made it valid. Publishes validation.json, validation.md and a log.
 * Throws `Failure('Tool.Missing')` without the tool: the workflow then assumes `report`.
 */
export async function validateCase(order: ValidateOrder, box: CirctBox): Promise<ValidateResult> {
  const toolchain = await toolchainOf(order.case, box)
  if (toolchain === null)
    throw new Failure('Tool.Missing', `${order.case.command.tool}: expected in the toolchain, not there`)
  const name = `bug.${order.case.language}`
  const reduced = order.minimize.artifacts.find((artifact) => artifact.name === name) ?? order.case.source
  const [bug, original] = await Promise.all([box.store.get(reduced), box.store.get(order.case.source)])
  const measured = await measure(order, box, { toolchain, name, bug, original })
  const verdict = classify(measured.facts)
  const file = fileOf(name, measured, verdict)
  const shown = {
    rule: verdict.rule,
    outcome: JSON.stringify(measured.facts.signature),
    command: commandLine(order.case.command, name),
  }
  const artifacts = await Promise.all([
    box.store.put('validation.json', `${JSON.stringify(file, null, 2)}\n`, 'application/json'),
    box.store.put('validation.md', withoutMachinePaths(validationReport(file, shown)), 'text/markdown'),
    box.store.put('validate.log', withoutMachinePaths(`${JSON.stringify(measured.facts, null, 2)}\n`), 'text/plain'),
  ])
  const { result, confidence, reason } = file.classification
  return { result, confidence, reason, artifacts }
}

interface Measured {
  facts: ValidationFacts
  syntax: Opinion
  semantics: Opinion
  others: Record<string, Opinion>
}

interface Texts {
  toolchain: Toolchain
  name: string
  bug: Buffer
  original: Buffer
}

async function measure(
  order: ValidateOrder,
  box: CirctBox,
  { toolchain, name, bug, original }: Texts,
): Promise<Measured> {
  const { language, command } = order.case
  const run = { box, toolchain, command, inputText: bug, inputName: name, wantPass: true }
  const known = order.minimize.signature
  const seen = await runUntilShown(run, known)
  box.heartbeat({ done: 'run' })
  const texts = bug.equals(original) ? [bug] : [bug, original]
  const ask = (depth: 'syntax' | 'semantics') =>
    bestOf(texts.map((text) => askFrontEnd({ box, language, text, toolchain, command }, depth)))
  const [syntax, semantics, others] = [
    await ask('syntax'),
    await ask('semantics'),
    await othersOf(texts, (text) => askOthers({ box, language, text })),
  ]
  const error = parseErrorText(seen.outcome.stderr).diagnostics.find((diagnostic) => diagnostic.severity === 'error')
  const facts: ValidationFacts = {
    language,
    isEmpty: original.toString('utf8').trim() === '',
    // The reduction saw it, though it did not come up here.
    signature: isFailureHidden(known, seen.signature) ? known : seen.signature,
    error: error === undefined ? null : { message: withoutMachinePaths(error.message), isLocated: error.file !== null },
    syntax: syntax.acceptance,
    semantics: semantics.acceptance,
    others: Object.fromEntries(Object.entries(others).map(([tool, { acceptance }]) => [tool, acceptance])),
  }
  return { facts, syntax, semantics, others }
}

/** Of several texts the one that is taken best: acceptance of either is what a rule may build on. */
async function bestOf(asked: readonly Promise<Opinion>[]): Promise<Opinion> {
  const opinions = await Promise.all(asked)
  const order: Acceptance[] = ['accepts', 'rejects', 'fails', 'unavailable']
  const [best] = opinions.sort((a, b) => order.indexOf(a.acceptance) - order.indexOf(b.acceptance))
  if (best === undefined) throw new RangeError('at least one text is asked about')
  return best
}

async function othersOf(
  texts: readonly Buffer[],
  ask: (text: Buffer) => Promise<Record<string, Opinion>>,
): Promise<Record<string, Opinion>> {
  const answers = await Promise.all(texts.map(ask))
  const names = Object.keys(answers[0] ?? {})
  const best = await Promise.all(
    names.map(
      async (tool) =>
        [
          tool,
          await bestOf(
            answers.flatMap((answer) => (answer[tool] === undefined ? [] : [Promise.resolve(answer[tool])])),
          ),
        ] as const,
    ),
  )
  return Object.fromEntries(best)
}

function fileOf(name: string, { facts, syntax, semantics, others }: Measured, verdict: Classification): ValidationFile {
  const message = facts.error?.message ?? ''
  const limitation = isKnownLimitation(message) ? message : null
  const unsupported = isUnsupportedMessage(message) ? [message] : []
  return ValidationFile.parse({
    version: '1.0',
    timestamp: new Date().toISOString(),
    input_file: name,
    syntax_check: {
      status: SYNTAX_STATUS[syntax.acceptance],
      tool: syntax.acceptance === 'unavailable' ? null : syntax.asked,
    },
    feature_support: { status: featureStatus(facts, unsupported), unsupported_found: unsupported },
    known_limitations: { matched: limitation === null ? null : 'named by the diagnostic', description: limitation },
    cross_tool_validation: Object.fromEntries([
      ...Object.entries(others).map(([tool, opinion]) => [tool, statusOf(opinion)]),
      [semantics.asked, statusOf(semantics)],
    ]),
    classification: { result: verdict.result, confidence: verdict.confidence, reason: verdict.reason },
  })
}

const SYNTAX_STATUS = {
  accepts: 'valid',
  rejects: 'invalid',
  fails: 'unchecked',
  unavailable: 'unchecked',
} as const satisfies Record<Acceptance, string>

function featureStatus(
  facts: ValidationFacts,
  unsupported: readonly string[],
): ValidationFile['feature_support']['status'] {
  if (unsupported.length > 0) return 'unsupported'
  return facts.semantics === 'accepts' ? 'supported' : 'unknown'
}

function statusOf({ acceptance, hasWarning }: Opinion): ValidationFile['cross_tool_validation'][string] {
  if (acceptance === 'unavailable') return 'unavailable'
  if (acceptance !== 'accepts') return 'error'
  return hasWarning ? 'warning' : 'pass'
}
