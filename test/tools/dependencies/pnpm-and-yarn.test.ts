import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setupWorktree, type SetupResult } from '../../../src/tools/dependencies/setup-worktree.js'
import { type Files, freshFolder, hasSandbox, put, runner } from '../../support/git-repository.js'

/** A manager that installs one package beside each manifest, and a note of what it was told and saw. */
const MANAGER = `
const fs = require('node:fs'), path = require('node:path')
const version = require('../package.json').version
if (process.argv[2] === '--version') { console.log(version); process.exit() }
const files = fs.readdirSync('.', { recursive: true }).filter((name) => fs.statSync(name).isFile()).sort()
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('YARN_')))
for (const file of files.filter((name) => name.endsWith('package.json'))) {
  const folder = path.join(path.dirname(file), 'node_modules/left')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'index.js'), 'left')
}
const texts = Object.fromEntries(files.map((file) => [file, fs.readFileSync(file, 'utf8')]))
fs.writeFileSync('node_modules/told.json', JSON.stringify({ words: process.argv.slice(2), env, texts }))
`

/** PATH with such managers, installed as npm installs them: a link in \`bin\` to a script with neighbours. */
function pathWith(managers: Readonly<Record<string, string>>, into = 'lib/node_modules'): string {
  const root = freshFolder()
  for (const [name, version] of Object.entries(managers)) {
    put(root, {
      [`${into}/${name}/package.json`]: JSON.stringify({ version }),
      [`${into}/${name}/bin/${name}.js`]: { text: `#!/usr/bin/env node\n${MANAGER}`, mode: 0o755 },
      [`bin/${name}`]: { link: `../${into}/${name}/bin/${name}.js` },
    })
  }
  mkdirSync(join(root, 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'bin/node'))
  return join(root, 'bin')
}

const MANIFEST = {
  name: 'project',
  packageManager: 'pnpm@9.0.0+sha512.abc',
  scripts: { postinstall: 'touch ran' },
  dependencies: { left: '1.0.0' },
}
const CLASSIC =
  '# yarn lockfile v1\n\n\nleft@1.0.0:\n  version "1.0.0"\n  resolved "https://registry.public.example/left/-/left-1.0.0.tgz#1"\n'
const MODERN = '__metadata:\n  version: 8\n\n"left@npm:1.0.0":\n  version: 1.0.0\n'
const REGISTRY = 'http://127.0.0.1:9'

interface Told {
  words: string[]
  env: Record<string, string>
  texts: Record<string, string>
}

async function ready(files: Files, path: string, home = freshFolder()) {
  const folder = freshFolder()
  put(folder, { 'package.json': JSON.stringify(MANIFEST), ...files })
  const env = { PATH: path, npm_config_registry: REGISTRY }
  const signal = new AbortController().signal
  const result: SetupResult = await setupWorktree({ folder, home, run: runner, isSandboxed: hasSandbox, env, signal })
  const told = () => JSON.parse(readFileSync(join(folder, 'node_modules/told.json'), 'utf8')) as Told
  return { folder, home, result, told }
}

describe('packages of pnpm', () => {
  it('are installed as the lockfile says, for each package of a workspace, and once', async () => {
    const files = {
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      'packages/own/package.json': '{"name":"own"}',
      'packages/own/node_modules/x/package.json': '{}',
      '.pnpmfile.cjs': 'throw new Error("run")',
      '.npmrc': 'registry=http://evil.example/\n',
      'src/index.js': '',
    }
    const path = pathWith({ pnpm: '10.0.0' })
    const { folder, home, result, told } = await ready(files, path)
    expect(result).toEqual({
      status: 'ready',
      details: 'installed: pnpm-lock.yaml',
      folders: ['node_modules'],
      isFresh: true,
      notes: [],
    })
    const { words, texts } = told()
    expect(words).toEqual([
      'install',
      '--frozen-lockfile',
      '--ignore-scripts',
      '--ignore-pnpmfile',
      '--reporter=append-only',
      `--registry=${REGISTRY}`,
    ])
    expect(Object.keys(texts)).toEqual([
      'package.json',
      'packages/own/package.json',
      'pnpm-lock.yaml',
      'pnpm-workspace.yaml',
    ])
    expect(JSON.parse(texts['package.json'] ?? '')).toEqual({ name: 'project', dependencies: { left: '1.0.0' } })
    expect(readFileSync(join(folder, 'node_modules/left/index.js'), 'utf8')).toBe('left')
    const again = await ready({ ...files, 'src/index.js': 'changed' }, path, home)
    expect(again.result).toMatchObject({ isFresh: false, details: 'taken from the cache: pnpm-lock.yaml' })
  })

  it('are put beside each manifest that has none yet', async () => {
    const files = { 'pnpm-lock.yaml': 'x', 'packages/own/package.json': '{"name":"own"}' }
    const { folder, result } = await ready(files, pathWith({ pnpm: '10.0.0' }))
    expect(result).toMatchObject({ folders: ['node_modules', 'packages/own/node_modules'] })
    expect(readFileSync(join(folder, 'packages/own/node_modules/left/index.js'), 'utf8')).toBe('left')
  })

  it('are missing in one line without it, and Corepack does not count', async () => {
    const failing = (path: string) => ready({ 'pnpm-lock.yaml': 'x' }, path)
    await expect(failing(pathWith({}))).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: 'dependencies of pnpm-lock.yaml: pnpm: neither among the dependencies of the project nor on PATH',
    })
    await expect(failing(pathWith({ pnpm: '10.0.0' }, 'lib/node_modules/corepack/dist'))).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: "dependencies of pnpm-lock.yaml: pnpm: on PATH is Corepack's stand-in; expected the program itself",
    })
  })
})

describe('packages of Yarn', () => {
  it('1 come from the registry of the person', async () => {
    const { result, told } = await ready({ 'yarn.lock': CLASSIC }, pathWith({ yarn: '1.22.22' }))
    expect(result).toMatchObject({ status: 'ready', details: 'installed: yarn.lock' })
    const { words, texts } = told()
    expect(words).toEqual([
      'install',
      '--frozen-lockfile',
      '--ignore-scripts',
      '--non-interactive',
      '--no-progress',
      '--registry',
      REGISTRY,
    ])
    expect(texts['yarn.lock']).toContain(`  resolved "${REGISTRY}/left/-/left-1.0.0.tgz#1"\n`)
  })

  it('2 and later are put into node_modules, and nothing of them is built', async () => {
    const files = { 'yarn.lock': MODERN, '.yarnrc.yml': 'plugins: [evil.cjs]\nnodeLinker: pnp\n' }
    const { told } = await ready(files, pathWith({ yarn: '4.18.1' }))
    const { words, env, texts } = told()
    expect(words).toEqual(['install', '--immutable', '--mode=skip-build'])
    expect(env).toEqual({
      YARN_ENABLE_SCRIPTS: 'false',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_NODE_LINKER: 'node-modules',
      YARN_NPM_REGISTRY_SERVER: REGISTRY,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    })
    expect(Object.keys(texts)).toEqual(['package.json', 'yarn.lock'])
  })

  it.each([
    ['a lockfile of 1', CLASSIC, '4.18.1', 'yarn.lock is of Yarn 1, and on PATH is 4.18.1'],
    ['a lockfile of 4', MODERN, '1.22.22', 'yarn.lock is of Yarn 2 or later, and on PATH is 1.22.22'],
  ])('that does not read %s is said to be missing', async (_, lock, version, words) => {
    await expect(ready({ 'yarn.lock': lock }, pathWith({ yarn: version }))).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: `dependencies: ${words}`,
    })
  })

  it('are missing in one line without it', async () => {
    await expect(ready({ 'yarn.lock': CLASSIC }, dirname('/nowhere/x'))).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: 'dependencies of yarn.lock: yarn: neither among the dependencies of the project nor on PATH',
    })
  })
})
