import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

/** What takes long to load: each of them 50 to 400 ms, which a person who cancels a run waits for. */
const HEAVY = ['zod', '@temporalio/workflow', '@temporalio/client', '@temporalio/worker', '@temporalio/common']

it.each(['cancel', 'abort', 'pause', 'resume', 'guide'])(
  '%s loads no heavy library before it is asked to run',
  (name) => {
    const loaded = loadedBy([join(SRC, 'cli/main.ts'), join(SRC, `cli/commands/${name}.ts`)])
    expect(loaded.has(join(SRC, 'cli/session.ts'))).toBe(true)
    const heavy = [...loaded].flatMap(([file, packages]) =>
      packages.filter((each) => HEAVY.includes(each)).map((each) => `${relative(SRC, file)} imports ${each}`),
    )
    expect(heavy).toEqual([])
  },
)

/** The files that are loaded with these, and the packages each of them imports; what is imported in a function does not count. */
function loadedBy(files: readonly string[]): Map<string, string[]> {
  const loaded = new Map<string, string[]>()
  const waiting = [...files]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue
    const names = importsOf(readFileSync(file, 'utf8'))
    loaded.set(
      file,
      names.filter((name) => !name.startsWith('.')),
    )
    const folder = dirname(file)
    waiting.push(
      ...names.filter((name) => name.startsWith('.')).map((name) => join(folder, name).replace(/\.js$/, '.ts')),
    )
  }
  return loaded
}

function importsOf(source: string): string[] {
  return [...source.matchAll(/^import (?!type )(?:[^'"]*? from )?'([^']+)'/gms)].map(([, from = '']) => from)
}
