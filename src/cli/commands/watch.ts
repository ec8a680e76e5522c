import { Failure } from '../../contracts/failures.js'
import { openProjection } from '../../tools/case-folder/project-files.js'
import { argument, type Command } from '../command.js'
import { describeEnd } from '../describe-end.js'
import { NO_WORKER } from '../described-run.js'
import { findRun } from '../find-run.js'
import { followRun } from '../follow-run.js'
import { liveProgress } from '../live-progress.js'
import { queryState } from '../look-at-run.js'
import { openStore } from '../open-store.js'
import { withReview } from '../review-output.js'
import { followLineOf, shownPath, storePathOf } from '../run-places.js'
import { forgetRun, registeredRun } from '../run-registry.js'
import { withRuns } from '../session.js'
import { temporalSource } from '../temporal-source.js'
import { STORE_OPTION } from './circt-options.js'
import { RUN } from './run-argument.js'

export const watchCommand: Command = {
  path: ['watch'],
  summary: 'follow a run to its end, answer its questions, and write its files when it was started on this host',
  arguments: [RUN],
  options: [STORE_OPTION],
  examples: ['gauntlet watch my-crash'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = await findRun(session, argument(input, 'RUN'))
      if (!run.isClosed && (await queryState(session, run.handle)) === null) throw new Failure('Tool.Failed', NO_WORKER)
      const { workflowId, runId } = run
      const registered = await registeredRun(context.home, workflowId)
      const store = await openStore(registered?.store ?? storePathOf(context, input))
      const folder = registered?.folder ?? null
      const inPlace = new Set<string>()
      const projection = registered === null ? null : openProjection(registered.folder, store)
      const follower = liveProgress({ terminal: context.terminal, projection, inPlace })
      const revive = () => session.revive()
      const source = temporalSource({ client: () => session.client, workflowId, runId, store, revive })
      const followLine = followLineOf(workflowId)
      const end = await followRun(source, follower, { signal: context.signal, followLine, patienceMs: 60_000 })
      if (inPlace.size > 0) await forgetRun(context.home, workflowId)
      const place = { workflowId, folder: folder && shownPath(context, folder), files: [...inPlace] }
      const wanted = { form: null, failOn: null, width: context.terminal.width() }
      return await withReview(describeEnd(end, place), { ...wanted, store })
    }),
}
