import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupWorktree, type SetupOrder, type SetupResult } from '../../../src/tools/dependencies/setup-worktree.js'
import { sweepDependencies } from '../../../src/tools/dependencies/sweep-dependencies.js'
import { type Files, freshFolder, hasSandbox, put, runner } from '../../support/git-repository.js'
import { type PackageIndex, packageIndex } from '../../support/package-index.js'

let index: PackageIndex
beforeAll(async () => {
  const trap = JSON.stringify({ name: 'trap', version: '1.0.0', scripts: { postinstall: 'echo ran > ran' } })
  index = await packageIndex({
    left: { 'index.js': 'module.exports = 1\n' },
    trap: { 'package.json': trap, 'index.js': '' },
  })
})
afterAll(() => index.close())

function locked(names: readonly string[], more: object = {}): Record<'package.json' | 'package-lock.json', string> {
  const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']))
  const manifest = { name: 'project', version: '1.0.0', dependencies }
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, index.locked(name)]))
  const lock = { name: 'project', version: '1.0.0', lockfileVersion: 3, packages: { '': manifest, ...packages } }
  return { 'package.json': JSON.stringify({ ...manifest, ...more }), 'package-lock.json': JSON.stringify(lock) }
}

interface Ready {
  folder: string
  home: string
  result: SetupResult
}

async function ready(files: Files, order: Partial<SetupOrder> = {}): Promise<Ready> {
  const [folder, home] = [freshFolder(), order.home ?? freshFolder()]
  put(folder, files)
  const env = { ...process.env, npm_config_registry: index.url, PIP_INDEX_URL: `${index.url}/simple` }
  const signal = new AbortController().signal
  const whole = { folder, home, run: runner, isSandboxed: hasSandbox, env, signal, ...order }
  return { folder, home, result: await setupWorktree(whole) }
}

describe('packages of npm', () => {
  it('are installed once for a lockfile, copied in, and what they bring is not run', async () => {
    const first = await ready(locked(['left', 'trap']))
    expect(first.result).toEqual({
      status: 'ready',
      details: 'installed: package-lock.json',
      folders: ['node_modules'],
      isFresh: true,
      notes: [],
    })
    expect(readFileSync(join(first.folder, 'node_modules/left/index.js'), 'utf8')).toBe('module.exports = 1\n')
    expect(existsSync(join(first.folder, 'node_modules/trap/ran'))).toBe(false)
    // What is done to one copy is not seen by the next.
    writeFileSync(join(first.folder, 'node_modules/left/index.js'), 'module.exports = 2\n')
    const asked = index.requests.length
    const second = await ready(locked(['left', 'trap'], { scripts: { test: 'changed' } }), { home: first.home })
    expect(second.result).toMatchObject({ isFresh: false, details: 'taken from the cache: package-lock.json' })
    expect(index.requests).toHaveLength(asked)
    expect(readFileSync(join(second.folder, 'node_modules/left/index.js'), 'utf8')).toBe('module.exports = 1\n')
    expect(readdirSync(join(first.home, 'scratch'))).toEqual([])
    expect(readdirSync(first.folder).sort()).toEqual(['node_modules', 'package-lock.json', 'package.json'])
  })

  it('are installed once by several at once, and anew for another lockfile', async () => {
    const home = freshFolder()
    const many = await Promise.all([1, 2, 3].map(() => ready(locked(['left']), { home })))
    expect(many.filter(({ result }) => result.status === 'ready' && result.isFresh)).toHaveLength(1)
    for (const { folder } of many) expect(existsSync(join(folder, 'node_modules/left/package.json'))).toBe(true)
    expect((await ready(locked(['left', 'trap']), { home })).result).toMatchObject({ isFresh: true })
    expect(readdirSync(join(home, 'deps'))).toHaveLength(2)
  })

  it('of workspaces are linked within the worktree', async () => {
    const manifest = { name: 'project', version: '1.0.0', workspaces: ['packages/*'] }
    const own = { name: 'own', version: '1.0.0', dependencies: { left: '1.0.0' } }
    const packages = {
      '': manifest,
      'node_modules/own': { resolved: 'packages/own', link: true },
      'node_modules/left': index.locked('left'),
      'packages/own': own,
    }
    const { folder, result } = await ready({
      'package.json': JSON.stringify(manifest),
      'package-lock.json': JSON.stringify({ ...manifest, lockfileVersion: 3, packages }),
      'packages/own/package.json': JSON.stringify(own),
      'packages/own/index.js': 'own',
    })
    expect(result).toMatchObject({ folders: ['node_modules'] })
    expect(readFileSync(join(folder, 'node_modules/own/index.js'), 'utf8')).toBe('own')
  })

  it.each<[string, () => Files, string]>([
    ['has no dependencies', () => ({ 'package.json': '{}' }), 'the project has no dependencies'],
    [
      'has no lockfile',
      () => ({ 'package.json': '{"dependencies":{"left":"1"}}' }),
      'the project has no lockfile, so its dependencies are not installed',
    ],
    ['asks for none', () => ({ 'setup.py': 'raise SystemExit("never run")' }), 'the project asks for no packages'],
    ['is of another kind', () => ({ 'README.md': '' }), 'the project is no project of Node or Python'],
  ])('are not there when the project %s', async (_what, files, details) => {
    const { home, result } = await ready(files())
    expect(result).toEqual({ status: 'nothing', details })
    expect(existsSync(join(home, 'deps'))).toBe(false)
  })

  it('that cannot be had are a failure with npm’s own words, and nothing half made is kept', async () => {
    const home = freshFolder()
    const files = locked(['left'])
    const wrong = files['package-lock.json'].replace('left-1.0.0.tgz', 'gone-1.0.0.tgz')
    const failing = ready({ ...files, 'package-lock.json': wrong }, { home })
    await expect(failing).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: 'dependencies of package-lock.json: exit code 1',
      details: { tail: expect.stringMatching(/404/) },
    })
    expect(readdirSync(join(home, 'deps'))).toEqual([])
  })

  it('whose lockfile does not fit are a failure that says so', async () => {
    const files = { ...locked(['left']), 'package.json': '{"dependencies":{"left":"2.0.0"}}' }
    await expect(ready(files)).rejects.toMatchObject({ details: { tail: expect.stringContaining('npm error') } })
  })

  it('that took too long are stopped, and a cancelled one is cancelled', async () => {
    const limits = { timeMs: 100, memoryBytes: 2e9, outputBytes: 1e7, processes: 500, fileBytes: 1e9 }
    await expect(ready(locked(['left']), { limits })).rejects.toMatchObject({ type: 'Tool.TimedOut' })
    const home = freshFolder()
    const stopping = ready(locked(['left']), { home, signal: AbortSignal.timeout(300) })
    await expect(stopping).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(readdirSync(join(home, 'deps')).filter((name) => !name.startsWith('.'))).toEqual([])
    expect((await ready(locked(['left']), { home })).result).toMatchObject({ isFresh: true })
  })

  it('of a manager that nobody here runs are said not to be installed', async () => {
    const files = { 'package.json': '{"dependencies":{"left":"1"}}', 'bun.lock': 'x' }
    await expect(ready(files)).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: 'dependencies: only npm, pnpm and Yarn are used, which do not read bun.lock',
    })
  })

  it('from outside of the repository are refused', async () => {
    const files = locked(['left'])
    const lock = JSON.parse(files['package-lock.json']) as { packages: Record<string, object> }
    lock.packages['../elsewhere'] = {}
    await expect(ready({ ...files, 'package-lock.json': JSON.stringify(lock) })).rejects.toThrow(
      'dependencies: expected "../elsewhere/package.json" in the repository',
    )
  })

  it('are not put where the repository leads elsewhere, nor over its own', async () => {
    const outside = freshFolder()
    const own = { ...locked(['left']), node_modules: { link: outside } }
    expect((await ready(own)).result).toMatchObject({ status: 'ready', folders: [] })
    expect(readdirSync(outside)).toEqual([])
  })
})

describe('packages of Python (skipped without python3)', () => {
  const hasPython = (() => {
    try {
      execFileSync('python3', ['-m', 'pip', '--version'])
      return true
    } catch (error) {
      if (error instanceof Error) return false
      throw error
    }
  })()

  const says = (folder: string, code: string) =>
    execFileSync(join(folder, '.venv/bin/python'), ['-c', code], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    }).trim()

  it.skipIf(!hasPython)('are installed into an environment that works where it is copied', async () => {
    const files = {
      'requirements.txt': '-r extra.txt\n--index-url http://127.0.0.1:9/never\n-e .\n',
      'extra.txt': 'gauntletwheel==1.0.0  # the only one\n',
      'pyproject.toml': '[project]\nname = "x"\n',
      'src/own/__init__.py': 'NAME = "own"\n',
    }
    const { folder, home, result } = await ready(files)
    expect(result).toMatchObject({
      status: 'ready',
      folders: ['.venv'],
      isFresh: true,
      notes: ['not installed: --index-url http://127.0.0.1:9/never', 'not installed: -e .'],
    })
    expect(says(folder, 'import gauntletwheel, own; print(gauntletwheel.VALUE, own.NAME)')).toBe('42 own')
    const script = join(folder, '.venv/bin/gauntletwheel')
    expect(execFileSync(script, { encoding: 'utf8' })).toBe('wheel 42\n')
    const again = await ready(files, { home })
    expect(again.result).toMatchObject({ isFresh: false })
    expect(execFileSync(join(again.folder, '.venv/bin/gauntletwheel'), { encoding: 'utf8' })).toBe('wheel 42\n')
  })

  it.skipIf(!hasPython)('are those that pyproject.toml declares, with those for its tests', async () => {
    const pyproject =
      '[project]\nname = "x"\ndependencies = []\n[project.optional-dependencies]\ntest = ["gauntletwheel>=1"]\n'
    const { folder, result } = await ready({ 'pyproject.toml': pyproject })
    expect(result).toMatchObject({ status: 'ready', details: 'installed: the declared packages' })
    expect(says(folder, 'import gauntletwheel; print(gauntletwheel.VALUE)')).toBe('42')
  })
})

it('what nobody used for a month is removed', async () => {
  const { home } = await ready(locked(['left']))
  const [name = ''] = readdirSync(join(home, 'deps'))
  const { mtimeMs } = statSync(join(home, 'deps', name))
  expect(await sweepDependencies(home, mtimeMs + 29 * 24 * 3600 * 1000)).toBe(0)
  utimesSync(join(home, 'deps', name), 0, 0)
  expect(await sweepDependencies(home)).toBe(1)
  expect(readdirSync(join(home, 'deps'))).toEqual([])
})
