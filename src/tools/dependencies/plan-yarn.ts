import { dirname } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommandPlan } from '../gates/gate-plan.js'
import { npmRegistry } from '../gates/npm-registry.js'
import { runCommand } from '../gates/run-command.js'
import { identityOf, type InstallPlan } from './install-plan.js'
import { ownManifests } from './own-manifests.js'
import type { NodeProject } from './plan-node.js'

/**
 * What yarn.lock names, by the Yarn on PATH, into `node_modules` whatever the project's settings say, without its plugins. Throws
 * `Failure('Tool.Missing')` when there is none, or one that does not read this lockfile.
 */
export async function planYarn({ box, folder, lock }: NodeProject): Promise<InstallPlan> {
  const isClassic = !/^__metadata:/m.test(lock.text)
  const version = await runCommand(box, { argv: ['yarn', '--version'] })
  if ('missing' in version) throw new Failure('Tool.Missing', `dependencies of ${lock.name}: ${version.missing}`)
  const has = version.stdout.trim()
  if (has.startsWith('1.') !== isClassic)
    throw new Failure(
      'Tool.Missing',
      `dependencies: ${lock.name} is of Yarn ${isClassic ? '1' : '2 or later'}, and on PATH is ${has || 'none that says its version'}`,
    )
  const files = await ownManifests(folder)
  const folders = [...files.keys()].map((path) => dirname(path))
  const registry = npmRegistry(box.env)
  files.set(lock.name, isClassic && registry !== null ? fromRegistry(lock.text, registry) : lock.text)
  return {
    label: lock.name,
    identity: identityOf(`yarn ${has}`, files),
    files,
    commands: [isClassic ? classic(registry) : modern(registry)],
    folders: folders.map((each) => (each === '.' ? 'node_modules' : `${each}/node_modules`)),
    extra: new Map(),
    notes: [],
  }
}

/** Yarn 1 takes packages from where the lockfile says. The person's registry stands for the public ones, as npm has it; contents are locked. */
function fromRegistry(lock: string, registry: string): string {
  return lock.replaceAll(/(?<=^ {2}resolved ")https:\/\/registry\.\w+\.\w+\//gm, registry.replace(/\/*$/, '/'))
}

function classic(registry: string | null): CommandPlan {
  const flags = ['--frozen-lockfile', '--ignore-scripts', '--non-interactive', '--no-progress']
  return {
    argv: ['yarn', 'install', ...flags, ...(registry === null ? [] : ['--registry', registry])],
    env: { YARN_CACHE_FOLDER: '{reports}/cache' },
  }
}

function modern(registry: string | null): CommandPlan {
  const own = registry === null ? {} : { YARN_NPM_REGISTRY_SERVER: registry }
  // It refuses what is not encrypted, also what a person has set.
  const plain = registry?.startsWith('http:') === true ? { YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname } : {}
  return {
    argv: ['yarn', 'install', '--immutable', '--mode=skip-build'],
    env: {
      YARN_NODE_LINKER: 'node-modules',
      YARN_ENABLE_SCRIPTS: 'false',
      YARN_ENABLE_TELEMETRY: '0',
      ...own,
      ...plain,
    },
  }
}
