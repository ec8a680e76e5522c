import { dirname } from 'node:path'
import { npmRegistry } from '../gates/npm-registry.js'
import { readReport } from '../gates/read-report.js'
import { identityOf, type InstallPlan } from './install-plan.js'
import { ownManifests } from './own-manifests.js'
import type { NodeProject } from './plan-node.js'

/** What pnpm-lock.yaml names, by the pnpm on PATH, without the project's own hooks (.pnpmfile.cjs) and settings (.npmrc). */
export async function planPnpm({ box, folder, lock }: NodeProject): Promise<InstallPlan> {
  const files = await ownManifests(folder)
  const workspace = await readReport(folder, 'pnpm-workspace.yaml')
  if (workspace !== null) files.set('pnpm-workspace.yaml', workspace)
  const folders = [...files.keys()].filter((path) => path.endsWith('package.json')).map((path) => dirname(path))
  files.set(lock.name, lock.text)
  const registry = npmRegistry(box.env)
  return {
    label: lock.name,
    identity: identityOf('pnpm', files),
    files,
    commands: [{ argv: ['pnpm', 'install', ...FROZEN, ...(registry === null ? [] : [`--registry=${registry}`])] }],
    folders: folders.map((each) => (each === '.' ? 'node_modules' : `${each}/node_modules`)),
    extra: new Map(),
    notes: [],
  }
}

const FROZEN = ['--frozen-lockfile', '--ignore-scripts', '--ignore-pnpmfile', '--reporter=append-only']
