import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import type { GateBox } from '../gates/gate-box.js'
import { readReport } from '../gates/read-report.js'
import type { InstallPlan, NothingToInstall } from './install-plan.js'
import { planNpm } from './plan-npm.js'
import { planPnpm } from './plan-pnpm.js'
import { planYarn } from './plan-yarn.js'

const Dependencies = z.record(z.string(), z.unknown()).optional()
const Manifest = z.looseObject({
  dependencies: Dependencies,
  devDependencies: Dependencies,
  optionalDependencies: Dependencies,
  workspaces: z.unknown().optional(),
})

/** A project of Node whose dependencies are asked for. */
export interface NodeProject {
  box: GateBox
  /** Its files, absolute. */
  folder: string
  /** The text of its package.json. */
  manifest: string
  lock: { name: string; text: string }
}

/**
 * What the lockfile names, installed by the manager whose it is, without running anything that the packages bring. Throws
 * `Failure('Tool.Missing')` when that manager is not there, `Failure('Tool.Failed')` for packages outside of the project.
 */
export async function planNode(box: GateBox, folder: string): Promise<InstallPlan | NothingToInstall> {
  const text = await readReport(folder, 'package.json')
  if (text === null) return { nothing: 'has no package.json' }
  const manifest = parseJson(Manifest, text, 'package.json')
  for (const [name, plan] of MANAGERS) {
    const lock = await readReport(folder, name)
    if (lock === null) continue
    const isAlone = manifest.workspaces === undefined && name !== 'pnpm-lock.yaml'
    if (isAlone && hasNone(manifest)) break
    return await plan({ box, folder, manifest: text, lock: { name, text: lock } })
  }
  const isAsking = manifest.workspaces !== undefined || !hasNone(manifest)
  return { nothing: isAsking ? 'has no lockfile, so its dependencies are not installed' : 'has no dependencies' }
}

/** The first lockfile that is there counts. */
const MANAGERS: readonly (readonly [string, (project: NodeProject) => Promise<InstallPlan>])[] = [
  ['npm-shrinkwrap.json', planNpm],
  ['package-lock.json', planNpm],
  ['pnpm-lock.yaml', planPnpm],
  ['yarn.lock', planYarn],
  ['bun.lock', refuse],
]

function refuse({ lock }: NodeProject): Promise<InstallPlan> {
  throw new Failure('Tool.Missing', `dependencies: only npm, pnpm and Yarn are used, which do not read ${lock.name}`)
}

function hasNone({ dependencies, devDependencies, optionalDependencies }: z.infer<typeof Manifest>): boolean {
  const groups = [dependencies, devDependencies, optionalDependencies]
  return groups.every((group) => Object.keys(group ?? {}).length === 0)
}
