import { Failure } from '../../contracts/failures.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { plainText } from '../../rules/cli-progress.js'
import type { SubmitResult } from '../../tools/circt/submit-issue.js'
import { DEFAULT_REPO, repoOption } from '../case-request.js'
import { argument, type Command, hasOption, type Output } from '../command.js'
import { findRun } from '../find-run.js'
import { openStore } from '../open-store.js'
import { endOfRun, type RunEnd } from '../run-end.js'
import { storePathOf } from '../run-places.js'
import { withRuns } from '../session.js'
import { STORE_OPTION } from './circt-options.js'
import { RUN } from './run-argument.js'

export const submitCommand: Command = {
  path: ['submit'],
  summary: "show what would be posted of a run's report; with --yes, post it as an issue",
  arguments: [RUN],
  options: [
    { flags: '--repo <OWNER/NAME>', summary: 'where to', default: DEFAULT_REPO },
    { flags: '--yes', summary: 'a person has read the report and wants it posted (needs GITHUB_TOKEN)' },
    STORE_OPTION,
  ],
  examples: ['gauntlet submit my-crash', 'gauntlet submit my-crash --repo me/circt --yes'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const repo = repoOption(input)
      const isMeant = hasOption(input, 'yes')
      if (isMeant && !context.env['GITHUB_TOKEN']) {
        throw new Failure('Case.Incomplete', 'GITHUB_TOKEN: expected a token that may create issues, got nothing')
      }
      const { handle } = await findRun(session, argument(input, 'RUN'))
      const store = await openStore(storePathOf(context, input))
      const { runId, artifact } = reportOf(await endOfRun(session, handle, store))
      const issueMarkdown = (await store.get(artifact)).toString('utf8')
      const { submitIssue } = await import('../../tools/circt/submit-issue.js')
      const { createGitHubClient } = await import('../../tools/github/github-client.js')
      const { gitHubConfig } = await import('../../tools/github/github-config.js')
      const client = createGitHubClient(gitHubConfig(context.env))
      return describeSubmit(await submitIssue({ issueMarkdown, repo, runId, dryRun: !isMeant, client }), repo)
    }),
}

function reportOf(end: RunEnd | null) {
  const document = end !== null && 'document' in end ? end.document : null
  const artifact = document?.artifacts.find((each) => each.name === 'issue.md')
  if (document !== null && document.verdict === 'report_ready' && artifact !== undefined) {
    return { runId: document.run_id, artifact }
  }
  const came = document === null ? 'one that is not over' : `one that ended as ${document.verdict}`
  throw new Failure('Contract.Violated', `RUN: expected a run with a finished report (report_ready), got ${came}`)
}

function describeSubmit(result: SubmitResult, repo: string): Output {
  if (result.status !== 'dry_run') {
    const text = result.status === 'posted' ? `posted as ${result.url}` : `was posted before: ${result.url}`
    return { exit: EXIT.good, json: { ...result, repo }, text }
  }
  const { title, body, labels } = result.request.body
  const text = [
    `dry run: nothing was posted. With --yes this goes to ${repo}:`,
    '',
    `title: ${title}`,
    `labels: ${(labels ?? []).join(', ') || 'none'}`,
    '',
    body,
  ].join('\n')
  return { exit: EXIT.good, json: { ...result, repo }, text: plainText(text) }
}
