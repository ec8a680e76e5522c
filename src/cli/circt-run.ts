import type { ArtifactStore } from '../contracts/store.js'
import { checkWritable, putCommandBack } from '../tools/case-folder/project-files.js'
import { type CaseRequest, folderOption } from './case-request.js'
import { uploadCase } from './circt-input.js'
import type { CommandInput, Context } from './command.js'
import type { EngineOptions } from './engine.js'
import type { RunPlan } from './run-pipeline.js'
import { storePathOf } from './run-places.js'

/** The plan of a case's run: looks whether the folder takes files, uploads, and says how the run is found again. */
export async function planCirct(
  request: CaseRequest,
  allowUnsandboxed: boolean,
  store: ArtifactStore,
): Promise<RunPlan> {
  const { path: folder, earlier } = request.folder
  await checkWritable(folder)
  const input = await uploadCase(request, store, allowUnsandboxed)
  const details = `Bug report for \`${input.names.source_file}\`, run by \`${input.command.tool}\`, schedule ${input.schedule}`
  return {
    start: { pipeline: 'circt', key: input.crash_id, input, details },
    folder,
    beforeFiles: (runId) => putCommandBack(folder, earlier, runId),
    answerWithinSeconds: request.answerWithinSeconds,
  }
}

/** Where a worker of ours finds its store and the CIRCT tools. */
export async function circtPlaces(context: Context, input: CommandInput): Promise<Omit<EngineOptions, 'note'>> {
  return {
    storePath: storePathOf(context, input),
    circtBin: await folderOption(context, input, 'circtBin'),
    circtSource: await folderOption(context, input, 'circtSrc'),
  }
}
