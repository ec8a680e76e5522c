import type { CommandPlan } from '../gates/gate-plan.js'

/** How a project's dependencies are installed, apart from the project. */
export interface InstallPlan {
  /** For people: 'package-lock.json'. */
  label: string
  /** Everything the result depends on, as text: its digest names the result. */
  identity: string
  /** All that the installer sees of the project, by relative path. */
  files: ReadonlyMap<string, string | Uint8Array>
  /** Run one after the other where the files are. */
  commands: readonly CommandPlan[]
  /** Where the result may be, relative; those that are there are it. */
  folders: readonly string[]
  /** Files to add to the result, when all is installed. */
  extra: ReadonlyMap<string, string>
  /** What a person should know. */
  notes: readonly string[]
}

/** Why nothing is installed, as a sentence without its subject. */
export interface NothingToInstall {
  nothing: string
}

/** Of what Node's managers install: binaries fit one version of Node on one kind of machine. */
export function identityOf(manager: string, files: InstallPlan['files']): string {
  return JSON.stringify([manager, process.version, process.platform, process.arch, ...[...files].flat().map(String)])
}
