import { EXIT } from '../../rules/cli-exit-codes.js'
import { queueOf } from '../../rules/task-queues.js'
import { checkWritable, putCommandBack } from '../../tools/case-folder/project-files.js'
import { readCaseRequest } from '../case-request.js'
import { uploadCase } from '../circt-input.js'
import { agreeOnSandbox, storePathOf } from '../circt-run.js'
import type { Command } from '../command.js'
import { openStore } from '../open-store.js'
import { registerRun } from '../run-registry.js'
import { openSession } from '../session.js'
import { startCirct } from '../start-run.js'
import { hasPoller } from '../task-queue-pollers.js'
import { CASE_DIR, CASE_OPTIONS, STORE_OPTION } from './circt-options.js'

export const startCirctCommand: Command = {
  path: ['start', 'circt'],
  summary: 'as `run circt`, but returns at once; a worker elsewhere does the work',
  arguments: [CASE_DIR],
  options: [...CASE_OPTIONS, STORE_OPTION],
  examples: ['gauntlet start circt ./my-crash', 'gauntlet start circt ./my-crash --ask --answer-within 2d'],
  run: async (context, input) => {
    const request = await readCaseRequest(context, input)
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    const { path: folder, earlier } = request.folder
    await checkWritable(folder)
    const storePath = storePathOf(context, input)
    const store = await openStore(storePath)
    const upload = await uploadCase(request, store, allowUnsandboxed)
    const session = await openSession(context, 'start')
    try {
      const { ensureSearchAttributes } = await import('../../workers/search-attributes.js')
      await ensureSearchAttributes(session.client.connection, session.server.namespace)
      const { workflowId, runId, isNew } = await startCirct(session.client, upload, { storeId: store.id })
      await putCommandBack(folder, earlier, runId)
      await registerRun(context.home, { workflow_id: workflowId, folder, store: storePath })
      const hasWorker = await hasPoller(session, queueOf(store.id))
      const json = { workflow_id: workflowId, run_id: runId, is_new: isNew, has_worker: hasWorker }
      const lines = [workflowId, `follow it with \`gauntlet watch ${workflowId}\``]
      if (!isNew) lines.push('it was there already with the same input')
      if (!hasWorker) lines.push('no worker is running: start one with `gauntlet worker`, or `gauntlet up`')
      return { exit: EXIT.good, json, text: lines.join('\n') }
    } finally {
      await session.close()
    }
  },
}
