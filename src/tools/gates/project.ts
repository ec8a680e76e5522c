import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseContract, parseJson } from '../../contracts/parse.js'
import { GatesConfig } from '../../contracts/quality.js'
import { readReport } from './read-report.js'

export interface Project {
  kind: 'node' | 'python' | 'go' | 'rust' | 'other'
  /** Null unless `kind` is 'node'. */
  manifest: PackageJson | null
  config: GatesConfig
}

export interface PackageJson {
  scripts: Readonly<Record<string, string>>
  hasDependencies: boolean
}

const Manifest = z.looseObject({
  scripts: z.record(z.string(), z.string()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
  optionalDependencies: z.record(z.string(), z.unknown()).optional(),
  gauntlet: z.unknown().optional(),
})

/**
 * What kind of project a copy is, and what it says for itself. `gauntlet.json` beats "gauntlet" in package.json. Throws
 * `Failure('Contract.Violated')` naming the file and field that do not fit.
 */
export async function readProject(copy: string): Promise<Project> {
  const text = await readReport(copy, 'package.json')
  const manifest = text === null ? null : parseJson(Manifest, text, 'package.json')
  const own = await readReport(copy, 'gauntlet.json')
  const config =
    own === null
      ? parseContract(GatesConfig, manifest?.gauntlet ?? {}, 'package.json "gauntlet"')
      : parseJson(GatesConfig, own, 'gauntlet.json')
  if (manifest !== null) return { kind: 'node', manifest: packageOf(manifest), config }
  const [kind = 'other'] = MARKS.filter(([, names]) => names.some((name) => existsSync(join(copy, name)))).map(
    ([each]) => each,
  )
  return { kind, manifest: null, config }
}

const MARKS: readonly [Project['kind'], readonly string[]][] = [
  ['python', ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt']],
  ['go', ['go.mod']],
  ['rust', ['Cargo.toml']],
]

function packageOf({ scripts = {}, ...lists }: z.infer<typeof Manifest>): PackageJson {
  const groups = [lists.dependencies, lists.devDependencies, lists.optionalDependencies]
  return { scripts, hasDependencies: groups.some((group) => Object.keys(group ?? {}).length > 0) }
}
