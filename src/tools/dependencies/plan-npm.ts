import { basename } from 'node:path'
import { z } from 'zod'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { npmRegistry } from '../gates/npm-registry.js'
import { readPlainFile, readReport } from '../gates/read-report.js'
import type { Env } from '../state-home.js'
import type { InstallPlan, NothingToInstall } from './install-plan.js'

const Dependencies = z.record(z.string(), z.unknown()).optional()
const Manifest = z.looseObject({
  dependencies: Dependencies,
  devDependencies: Dependencies,
  optionalDependencies: Dependencies,
  peerDependencies: Dependencies,
  workspaces: z.unknown().optional(),
  overrides: z.unknown().optional(),
})
const Lock = z.looseObject({
  packages: z
    .record(z.string(), z.looseObject({ resolved: z.unknown().optional(), link: z.unknown().optional() }))
    .optional(),
})

/**
 * `npm ci` of what the lockfile names, without running anything that the packages bring. Throws `Failure('Tool.Missing')` for
 * lockfiles of other managers, `Failure('Tool.Failed')` for packages outside of the project.
 */
export async function planNpm(folder: string, env: Env): Promise<InstallPlan | NothingToInstall> {
  const text = await readReport(folder, 'package.json')
  if (text === null) return { nothing: 'has no package.json' }
  const manifest = parseJson(Manifest, text, 'package.json')
  const groups = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
  if (manifest.workspaces === undefined && groups.every((group) => Object.keys(group ?? {}).length === 0))
    return { nothing: 'has no dependencies' }
  for (const name of ['npm-shrinkwrap.json', 'package-lock.json']) {
    const lock = await readReport(folder, name)
    if (lock !== null) return await lockedPlan({ folder, env, manifest, text }, { name, text: lock })
  }
  const other = await firstOf(folder, ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'])
  if (other !== null) throw new Failure('Tool.Missing', `dependencies: only npm is used, which does not read ${other}`)
  return { nothing: 'has no lockfile, so its dependencies are not installed' }
}

interface NpmProject {
  folder: string
  env: Env
  manifest: z.infer<typeof Manifest>
  text: string
}

async function lockedPlan(project: NpmProject, lock: { name: string; text: string }): Promise<InstallPlan> {
  const { packages = {} } = parseJson(Lock, lock.text, lock.name)
  const own = Object.keys(packages).filter((key) => key !== '' && !/(?:^|\/)node_modules\//.test(key))
  const files = new Map<string, string | Uint8Array>([
    ['package.json', withoutScripts('package.json', Buffer.from(project.text))],
    [lock.name, lock.text],
  ])
  const tarballs = Object.values(packages).flatMap(({ resolved, link }) => localFile(resolved, link))
  for (const path of [...own.map((key) => `${key}/package.json`), ...tarballs])
    files.set(path, withoutScripts(path, await ownFile(project.folder, path)))
  const registry = npmRegistry(project.env)
  return {
    label: lock.name,
    identity: JSON.stringify([
      'npm',
      process.version,
      process.platform,
      process.arch,
      ...[...files].flat().map(String),
    ]),
    files,
    commands: [{ argv: ['npm', 'ci', ...QUIETLY], env: registry === null ? {} : { npm_config_registry: registry } }],
    folders: ['node_modules', ...own.map((key) => `${key}/node_modules`)],
    extra: new Map(),
    notes: [],
  }
}

const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']

/** A change of a script is none of the dependencies, and no script is run here. */
function withoutScripts(path: string, content: Uint8Array): string | Uint8Array {
  if (basename(path) !== 'package.json') return content
  const { scripts: _scripts, gauntlet: _gauntlet, ...rest } = parseJson(z.looseObject({}), String(content), path)
  return JSON.stringify(rest)
}

function localFile(resolved: unknown, link: unknown): string[] {
  if (typeof resolved !== 'string' || link === true || !resolved.startsWith('file:')) return []
  return [resolved.slice('file:'.length).replace(/^\.\//, '')]
}

async function ownFile(folder: string, path: string): Promise<Uint8Array> {
  const bytes = RelativePath.safeParse(path).success ? await readPlainFile(folder, path) : null
  if (bytes !== null) return bytes
  throw new Failure('Tool.Failed', `dependencies: expected ${JSON.stringify(path)} in the repository`)
}

async function firstOf(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if ((await readPlainFile(folder, name)) !== null) return name
  return null
}
