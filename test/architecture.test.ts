import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildWorkflowBundle } from '../src/workers/workflow-bundle.js'
import { ACTIVITIES } from '../src/workflows/activity-options.js'

const SRC = fileURLToPath(new URL('../src', import.meta.url))

/** What each folder may import from another one of the eight; `types` only as types. The linter holds the same arrows. */
const ARROWS: Record<string, { values: string[]; types: string[]; packages: RegExp }> = {
  contracts: { values: ['rules'], types: [], packages: /^zod$/ },
  rules: { values: [], types: ['contracts'], packages: /^$/ },
  workflows: { values: ['rules'], types: ['contracts', 'activities'], packages: /^@temporalio\/workflow$/ },
  agents: { values: ['contracts', 'rules', 'tools'], types: [], packages: /^(?!@temporalio)/ },
  tools: { values: ['contracts', 'rules'], types: [], packages: /^(?!@temporalio)/ },
  activities: {
    values: ['contracts', 'rules', 'agents', 'tools'],
    types: [],
    packages: /^(@temporalio\/(activity|common)|zod|node:.*)$/,
  },
  workers: { values: ['contracts', 'rules', 'agents', 'tools', 'activities', 'workflows'], types: [], packages: /./ },
  cli: {
    values: ['contracts', 'rules', 'tools', 'workers'],
    types: ['workflows'],
    packages: /^(?!@temporalio\/activity)/,
  },
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

describe('the tree', () => {
  it('has eight folders and nothing beside them', () => {
    const folders = new Set(files.map((name) => name.split('/')[0]))
    expect([...folders].filter((folder) => !Object.hasOwn(ARROWS, folder ?? ''))).toEqual([])
  })

  it.each(files)('%s imports along the arrows', (name) => {
    const folder = name.split('/')[0] ?? ''
    const wrong = importsOf(name).filter((each) => !isAllowed(folder, each))
    expect(wrong).toEqual([])
  })

  it('bundles its workflows without Node or zod', async () => {
    const { code } = await buildWorkflowBundle()
    expect(code).toContain('circtBugReport')
    expect(code).not.toContain('node_modules/zod')
    // What every cached workflow pays for; behind it lies the source map.
    expect(code.indexOf('sourceMappingURL')).toBeLessThan(1_500_000)
  })

  it('registers every activity of the options table in the worker', () => {
    const sources = files.filter((name) => /^activities\/[\w-]+-activities\.ts$/.test(name))
    const text = sources.map((name) => readFileSync(join(SRC, name), 'utf8')).join('\n')
    const composed = readFileSync(join(SRC, 'workers/compose-worker.ts'), 'utf8')
    for (const name of Object.keys(ACTIVITIES)) expect(text).toMatch(new RegExp(`^    ${name}(?:: |,$)`, 'm'))
    for (const name of sources)
      expect(composed).toContain(name.replace('activities/', '../activities/').replace('.ts', '.js'))
  })
})

interface Import {
  /** Folder of the eight, or a package. */
  from: string
  isOwn: boolean
  isType: boolean
  path: string
}

function importsOf(name: string): Import[] {
  const text = readFileSync(join(SRC, name), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)
  return [...statements].map(([, typed, from, dynamic]) => {
    const path = from ?? dynamic ?? ''
    const isOwn = path.startsWith('.')
    const target = isOwn ? (relative(SRC, resolve(join(SRC, dirname(name)), path)).split('/')[0] ?? '') : path
    return { from: target, isOwn, isType: typed !== undefined, path }
  })
}

function isAllowed(folder: string, { from, isOwn, isType, path }: Import): boolean {
  const arrows = ARROWS[folder]
  if (arrows === undefined) return false
  if (!isOwn) return isType || arrows.packages.test(from)
  if (from === folder || arrows.values.includes(from)) return true
  if (folder === 'cli' && path.endsWith('/workflows/messages.js')) return true
  return isType && arrows.types.includes(from)
}
