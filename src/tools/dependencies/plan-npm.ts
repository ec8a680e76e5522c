import { z } from 'zod'
import { parseJson } from '../../contracts/parse.js'
import { npmRegistry } from '../gates/npm-registry.js'
import { identityOf, type InstallPlan } from './install-plan.js'
import { ownFile, withoutScripts } from './own-manifests.js'
import type { NodeProject } from './plan-node.js'

const Lock = z.looseObject({
  packages: z
    .record(z.string(), z.looseObject({ resolved: z.unknown().optional(), link: z.unknown().optional() }))
    .optional(),
})

/** `npm ci` of what the lockfile names. Throws `Failure('Tool.Failed')` for packages outside of the project. */
export async function planNpm({ box, folder, manifest, lock }: NodeProject): Promise<InstallPlan> {
  const { packages = {} } = parseJson(Lock, lock.text, lock.name)
  const own = Object.keys(packages).filter((key) => key !== '' && !/(?:^|\/)node_modules\//.test(key))
  const files = new Map<string, string | Uint8Array>([
    ['package.json', withoutScripts('package.json', Buffer.from(manifest))],
    [lock.name, lock.text],
  ])
  const tarballs = Object.values(packages).flatMap(({ resolved, link }) => localFile(resolved, link))
  for (const path of [...own.map((key) => `${key}/package.json`), ...tarballs])
    files.set(path, withoutScripts(path, await ownFile(folder, path)))
  const registry = npmRegistry(box.env)
  return {
    label: lock.name,
    identity: identityOf('npm', files),
    files,
    commands: [{ argv: ['npm', 'ci', ...QUIETLY], env: registry === null ? {} : { npm_config_registry: registry } }],
    folders: ['node_modules', ...own.map((key) => `${key}/node_modules`)],
    extra: new Map(),
    notes: [],
  }
}

const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']

function localFile(resolved: unknown, link: unknown): string[] {
  if (typeof resolved !== 'string' || link === true || !resolved.startsWith('file:')) return []
  return [resolved.slice('file:'.length).replace(/^\.\//, '')]
}
