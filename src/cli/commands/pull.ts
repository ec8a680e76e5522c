import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Artifact } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import type { ProjectedFile } from '../../contracts/run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { openProjection } from '../../tools/case-folder/project-files.js'
import { systemReason } from '../../tools/case-folder/system-reason.js'
import { mistake } from '../cli-error.js'
import { argument, type Command, textOption } from '../command.js'
import { NO_WORKER } from '../described-run.js'
import { type FoundRun, findRun } from '../find-run.js'
import { queryView } from '../look-at-run.js'
import { openStore } from '../open-store.js'
import { pullBranch } from '../pull-branch.js'
import { endOfRun, storedRun } from '../run-end.js'
import { storePathOf } from '../run-places.js'
import { registeredRun } from '../run-registry.js'
import { type Session, withRuns } from '../session.js'
import { STORE_OPTION } from './circt-options.js'
import { RUN } from './run-argument.js'

export const pullCommand: Command = {
  path: ['pull'],
  summary: "write a run's files, as they are now, into a folder; into a repository also its branch",
  arguments: [RUN],
  options: [{ flags: '--into <DIR>', summary: 'where to; made when missing', takesFile: true }, STORE_OPTION],
  examples: ['gauntlet pull my-crash --into ./my-crash'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const given = textOption(input, 'into')
      if (given === undefined) throw mistake('--into', 'a folder to write in', 'nothing')
      const run = await findRun(session, argument(input, 'RUN'))
      const registered = await registeredRun(context.home, run.workflowId)
      const store = await openStore(registered?.store ?? storePathOf(context, input))
      const folder = await makeFolder(resolve(context.cwd, given), given)
      const { files, note } = await filesOf(session, run, { store, folder })
      const written = await openProjection(folder, store, (line) => context.terminal.note(line)).write(files)
      const branch = await pullBranch(context, session, { run, folder })
      const json = {
        workflow_id: run.workflowId,
        run_id: run.runId,
        folder: given,
        files: files.map(({ path }) => path),
        written,
        branch,
      }
      const rest = written.length < files.length ? '; the others stay as they are' : ''
      const text = `${given}: ${written.length} of ${files.length} files written${rest}`
      if (note !== null) context.terminal.note(note)
      const fetched = branch === null ? '' : `\nbranch ${branch}: git switch ${branch}`
      return { exit: EXIT.good, json, text: `${text}${fetched}` }
    }),
}

/** What the run wants in a person's folder; and, but for the root of a repository, everything else it kept. */
async function filesOf(session: Session, run: FoundRun, { store, folder }: { store: ArtifactStore; folder: string }) {
  const { files, kept, note } = await filesAndKept(session, run, store)
  const known = new Set(files.map(({ path }) => path))
  const others = kept.flatMap((artifact) => (known.has(artifact.name) ? [] : [{ path: artifact.name, artifact }]))
  return { files: existsSync(join(folder, '.git')) ? files : [...files, ...others], note }
}

interface Kept {
  files: readonly ProjectedFile[]
  kept: readonly Artifact[]
  note: string | null
}

/** Of a run that is over from the store, else from a worker; versions before stored the result document alone. */
async function filesAndKept(session: Session, run: FoundRun, store: ArtifactStore): Promise<Kept> {
  const stored = run.isClosed ? await storedRun(store, run.workflowId, run.runId) : null
  if (stored?.files !== undefined) return { files: stored.files, kept: stored.document.artifacts, note: null }
  const view = await queryView(session, run.handle)
  if (view !== null) return { files: view.files, kept: view.state.artifacts, note: null }
  const end = await endOfRun(session, run.handle, store)
  if (end === null || !('document' in end)) throw new Failure('Tool.Failed', NO_WORKER)
  return {
    files: [],
    kept: end.document.artifacts,
    note: `results alone, without files of the run's state: ${NO_WORKER}`,
  }
}

async function makeFolder(path: string, given: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    return path
  } catch (error) {
    throw mistake('--into', 'a folder that can be written', `${JSON.stringify(given)}: ${systemReason(error).reason}`)
  }
}
