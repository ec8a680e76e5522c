import { hostname, userInfo } from 'node:os'
import type { z } from 'zod'
import type { Artifact } from '../../contracts/artifact.js'
import { AnalysisFile, DuplicatesFile, ValidationFile } from '../../contracts/circt-files.js'
import type { GenerateOrder, GenerateResult } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import type { IssueFacts } from '../../rules/circt/issue-text-facts.js'
import { renderIssue } from '../../rules/circt/issue-text-file.js'
import { issueDraft } from '../../rules/circt/issue-text.js'
import type { CirctBox } from './circt-box.js'

/**
 * Seed 002's generate_issue: writes issue.md from the files of all steps. The same order gives the same bytes on every machine but for names of
 * that machine's user and host, which are kept out.
 * Throws `Failure('Contract.Violated')` when a file that must be there is missing or does not fit its contract.
 */
export async function generateIssue(order: GenerateOrder, box: Pick<CirctBox, 'store'>): Promise<GenerateResult> {
  const draft = issueDraft(await readFacts(order, box))
  const artifact = await box.store.put('issue.md', renderIssue(draft), 'text/markdown')
  return { title: draft.title, artifacts: [artifact] }
}

async function readFacts(order: GenerateOrder, box: Pick<CirctBox, 'store'>): Promise<IssueFacts> {
  const text = async (artifact: Artifact): Promise<string> => (await box.store.get(artifact)).toString('utf8')
  const json = async <T extends z.ZodType>(contract: T, artifact: Artifact | null): Promise<z.infer<T> | null> =>
    artifact === null ? null : parseJson(contract, await text(artifact), artifact.name)
  const { minimize, root_cause_analysis, validate, check_duplicates } = order
  const testCase = required(minimize.artifacts, /^bug\.(?:sv|fir|mlir)$/)
  const report = found(minimize.artifacts, /^minimize_report\.md$/)
  const onePass = found(minimize.artifacts, /^one-pass\.mlir$/)
  return {
    order,
    analysis: await json(AnalysisFile, found(root_cause_analysis?.artifacts, /^analysis\.json$/)),
    validation: await json(ValidationFile, found(validate?.artifacts, /^validation\.json$/)),
    duplicates: await json(DuplicatesFile, found(check_duplicates?.artifacts, /^duplicates\.json$/)),
    command: await text(required(minimize.artifacts, /^command\.txt$/)),
    testCaseName: testCase.name,
    testCase: await text(testCase),
    original: await text(order.case.source),
    onePass: onePass === null ? null : await text(onePass),
    errorLog: await text(required(minimize.artifacts, /^error\.log$/)),
    errorText: await text(order.case.error),
    minimizeReport: report === null ? '' : await text(report),
    identities: identitiesHere(),
  }
}

function found(artifacts: readonly Artifact[] | undefined, name: RegExp): Artifact | null {
  return artifacts?.find((artifact) => name.test(artifact.name)) ?? null
}

function required(artifacts: readonly Artifact[], name: RegExp): Artifact {
  const artifact = found(artifacts, name)
  if (artifact !== null) return artifact
  const names = artifacts.map((each) => each.name).join(', ')
  throw new Failure('Contract.Violated', `minimize's files: expected one like ${name.source}, got ${names || 'none'}`)
}

/** Who works here, for the text of programs may tell. A user without an entry in the system's list has no name to tell. */
function identitiesHere(): string[] {
  const host = hostname()
  const names = [host, host.split('.')[0] ?? '', process.env['USER'] ?? '', process.env['LOGNAME'] ?? '']
  try {
    names.push(userInfo().username)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
  return [...new Set(names.filter((name) => name !== ''))]
}
