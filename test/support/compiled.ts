import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Compiled {
  /** Absolute path of the JavaScript of `src/…`, named without extension: 'tools/owned-file'. */
  fileOf(name: string): string
  remove(): void
}

/** Compiles these files of `src` (and what they import) for child processes, which know no TypeScript. Takes about a second. */
export function compileForChildren(names: readonly string[]): Compiled {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'compiled-'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const config = {
    extends: join(root, 'tsconfig.build.json'),
    files: names.map((name) => join(root, 'src', `${name}.ts`)),
  }
  const compilerOptions = {
    outDir: folder,
    rootDir: join(root, 'src'),
    noCheck: true,
    sourceMap: false,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [], compilerOptions }))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: root })
  return {
    fileOf: (name) => join(folder, `${name}.js`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
