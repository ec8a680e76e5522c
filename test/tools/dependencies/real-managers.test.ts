import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setupWorktree } from '../../../src/tools/dependencies/setup-worktree.js'
import { type Files, freshFolder, hasSandbox, put, runner } from '../../support/git-repository.js'
import { type PackageIndex, packageIndex } from '../../support/package-index.js'
import { testCache } from '../../support/temporal.js'

/** Installed by npm, once for all runs of the tests. */
const MANAGERS = { pnpm: 'pnpm@10', yarn: 'yarn@1.22.22', 'yarn-berry': '@yarnpkg/cli-dist@4' } as const

let index: PackageIndex
beforeAll(async () => {
  const trap = JSON.stringify({ name: 'trap', version: '1.0.0', scripts: { postinstall: 'echo ran > ran' } })
  index = await packageIndex({
    left: { 'index.js': 'module.exports = 1\n' },
    trap: { 'package.json': trap, 'index.js': '' },
  })
  for (const [name, spec] of Object.entries(MANAGERS)) {
    const folder = join(testCache(), name)
    if (existsSync(join(folder, 'node_modules/.bin'))) continue
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{}')
    const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', spec]
    execFileSync('npm', words, { cwd: folder, timeout: 240_000 })
  }
}, 300_000)
afterAll(() => index.close())

/** How a person makes the lockfile, in the folder itself. */
const LOCKING = {
  pnpm: (url: string) => ({
    words: ['pnpm', 'install', '--lockfile-only', '--ignore-scripts', `--registry=${url}`],
    env: {},
  }),
  yarn: (url: string) => ({
    words: ['yarn', 'install', '--ignore-scripts', '--non-interactive', '--registry', url],
    env: {},
  }),
  'yarn-berry': (url: string) => ({
    words: ['yarn', 'install', '--no-immutable', '--mode=skip-build'],
    env: {
      YARN_NPM_REGISTRY_SERVER: url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_NODE_LINKER: 'node-modules',
      YARN_ENABLE_SCRIPTS: 'false',
      YARN_NPM_MINIMAL_AGE_GATE: '0',
    },
  }),
}

it.each([
  ['pnpm', 'pnpm-lock.yaml'],
  ['yarn', 'yarn.lock'],
  ['yarn-berry', 'yarn.lock'],
] as const)(
  'the real %s installs a workspace from its lockfile, and runs nothing',
  async (manager, lockfile) => {
    const manifest = { name: 'project', version: '1.0.0', private: true, workspaces: ['packages/*'] }
    const files: Files = {
      'package.json': JSON.stringify({ ...manifest, dependencies: { left: '1.0.0', trap: '1.0.0' } }),
      'packages/own/package.json': '{"name":"own","version":"1.0.0","dependencies":{"left":"1.0.0"}}',
      'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
      ...(manager === 'yarn-berry' ? { 'yarn.lock': '' } : {}),
    }
    const PATH = [join(testCache(), manager, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
    const person = freshFolder()
    put(person, files)
    const { words, env } = LOCKING[manager](index.url)
    const [program = '', ...args] = words
    const home = { HOME: freshFolder(), YARN_CACHE_FOLDER: freshFolder() }
    // Not waited for in place: the registry is in this process.
    await promisify(execFile)(program, args, { cwd: person, env: { PATH, ...home, ...env }, timeout: 120_000 })
    const folder = freshFolder()
    put(folder, { ...files, [lockfile]: readFileSync(join(person, lockfile), 'utf8') })
    const result = await setupWorktree({
      folder,
      home: freshFolder(),
      run: runner,
      isSandboxed: hasSandbox,
      env: { PATH, npm_config_registry: index.url },
      signal: AbortSignal.timeout(200_000),
    })
    expect(result).toMatchObject({ status: 'ready', details: `installed: ${lockfile}` })
    const code = "process.stdout.write(String(require('left')) + require.resolve('trap'))"
    const told = execFileSync(process.execPath, ['-e', code], { cwd: folder, encoding: 'utf8' })
    expect(told.startsWith(`1${folder}/node_modules/`)).toBe(true)
    expect(existsSync(join(folder, 'node_modules/trap/ran'))).toBe(false)
    const own = execFileSync(process.execPath, ['-p', "require('left')"], {
      cwd: join(folder, 'packages/own'),
      encoding: 'utf8',
    })
    expect(own).toBe('1\n')
  },
  300_000,
)
