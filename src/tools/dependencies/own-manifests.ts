import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { readPlainFile } from '../gates/read-report.js'

/** Every package.json below a folder of a repository, as installers are shown it, by relative path; dependencies' own are none of it. */
export async function ownManifests(folder: string): Promise<Map<string, string | Uint8Array>> {
  const found = new Map<string, string | Uint8Array>()
  const waiting = new Set([''])
  // A set may grow while it is walked: what is added comes last.
  for (const at of waiting) {
    if (waiting.size > mostFolders) throw new Failure('Tool.Failed', `dependencies: more than ${mostFolders} folders`)
    for (const entry of await readdir(join(folder, at), { withFileTypes: true })) {
      const path = join(at, entry.name)
      if (entry.isFile() && entry.name === 'package.json')
        found.set(path, withoutScripts(path, await ownFile(folder, path)))
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.')) waiting.add(path)
    }
  }
  return found
}

const mostFolders = 20_000

/**
 * No script is run here, so a change of one is none of the dependencies; and which version of a manager the project's people use is
 * theirs: managers would fetch it.
 */
export function withoutScripts(path: string, content: Uint8Array): string | Uint8Array {
  if (basename(path) !== 'package.json') return content
  const manifest = parseJson(z.looseObject({}), String(content), path)
  return JSON.stringify(Object.fromEntries(Object.entries(manifest).filter(([name]) => !LEFT_OUT.includes(name))))
}

const LEFT_OUT = ['scripts', 'gauntlet', 'packageManager', 'devEngines']

/** A file that the lockfile names. Throws `Failure('Tool.Failed')` when the repository has none there. */
export async function ownFile(folder: string, path: string): Promise<Uint8Array> {
  const bytes = RelativePath.safeParse(path).success ? await readPlainFile(folder, path) : null
  if (bytes !== null) return bytes
  throw new Failure('Tool.Failed', `dependencies: expected ${JSON.stringify(path)} in the repository`)
}
