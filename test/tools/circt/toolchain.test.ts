import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { CirctTool } from '../../../src/contracts/circt.js'
import { pinsFor, toolchainPins } from '../../../src/tools/circt/toolchain-pins.js'
import { checkTools, toolchainSources } from '../../../src/tools/circt/toolchain-sources.js'
import { createToolchains, describeLocalToolchain } from '../../../src/tools/circt/toolchain.js'
import type { DownloadSource } from '../../../src/tools/download/cached-download.js'
import { fileServer } from '../../support/file-server.js'
import { storedZip } from '../../support/stored-zip.js'

const scratch = mkdtempSync(join(tmpdir(), 'toolchain-'))
let home: string
let fetches: string[]

beforeEach(() => {
  home = mkdtempSync(join(scratch, 'home-'))
  fetches = []
})
afterAll(() => rmSync(scratch, { recursive: true }))

/** A folder of programs that say they are `version`. */
function tools(folder: string, version: string | null, names: readonly CirctTool[] = ['firtool']): string {
  mkdirSync(folder, { recursive: true })
  const says = version === null ? 'nothing of the kind' : `CIRCT firtool-${version}`
  for (const name of names) writeFileSync(join(folder, name), `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 })
  return folder
}

/** Sources that deliver, or fail, and are written down in `fetches`. */
function sources(works: boolean) {
  return ({ version }: { version: string }): DownloadSource[] => [
    {
      name: 'the test',
      fetch: (into) => {
        fetches.push(version)
        if (!works) return Promise.reject(new Error('closed'))
        tools(into, version)
        return Promise.resolve()
      },
    },
  ]
}

function toolchains(options: { env?: Record<string, string>; circtBin?: string; works?: boolean }) {
  const sourcesOf = sources(options.works ?? false)
  const env = { PATH: '/usr/bin:/bin', ...options.env }
  return createToolchains({ home, env, circtBin: options.circtBin ?? null, progress: () => {}, sourcesOf })
}

describe('a named folder', () => {
  test('of programs serves every version, and tells its own', async () => {
    const circtBin = tools(join(home, 'named'), '1.62.1')
    const toolchain = await toolchains({ circtBin, works: true }).toolchainFor('1.155.0')
    expect(toolchain.version).toBe('1.62.1')
    expect(toolchain.pathOf('firtool')).toBe(join(circtBin, 'firtool'))
    expect(fetches).toEqual([])
  })

  test('of versions gives the asked one, and the newest when none is asked for', async () => {
    const circtBin = join(home, 'named')
    for (const version of ['1.9.0', '1.62.1', '1.155.0']) tools(join(circtBin, `firtool-${version}`, 'bin'), version)
    const box = toolchains({ circtBin })
    expect((await box.toolchainFor('1.62.1')).pathOf('firtool')).toBe(
      join(circtBin, 'firtool-1.62.1', 'bin', 'firtool'),
    )
    expect((await box.toolchainFor(null)).version).toBe('1.155.0')
  })

  test('of a single version serves every version', async () => {
    tools(join(home, 'named', 'firtool-1.9.0'), '1.9.0')
    const box = toolchains({ circtBin: join(home, 'named'), works: true })
    expect((await box.toolchainFor('1.155.0')).version).toBe('1.9.0')
  })

  test('of several versions without the asked one lets a pinned one be fetched', async () => {
    for (const version of ['1.9.0', '1.10.0']) tools(join(home, 'named', `firtool-${version}`), version)
    const box = toolchains({ circtBin: join(home, 'named'), works: true })
    expect((await box.toolchainFor('1.62.1')).version).toBe('1.62.1')
    expect((await box.toolchainFor('1.99.0')).version).toBe('1.10.0')
  })

  test('without programs is an error, also by CIRCT_BIN', async () => {
    const failure = toolchains({ env: { CIRCT_BIN: home }, works: true }).toolchainFor(null)
    await expect(failure).rejects.toMatchObject({ type: 'Tool.Missing', message: expect.stringContaining('CIRCT_BIN') })
  })

  test('whose program floods instead of telling its version is stopped at once, and left by nothing', async () => {
    const circtBin = join(home, 'firtool-1.70.0')
    mkdirSync(circtBin)
    writeFileSync(join(circtBin, 'firtool'), '#!/bin/sh\nexec yes flood\n', { mode: 0o755 })
    const begun = performance.now()
    expect((await toolchains({ circtBin }).toolchainFor(null)).version).toBe('1.70.0')
    expect(performance.now() - begun).toBeLessThan(8_000)
    expect(readdirSync(join(home, 'scratch'))).toEqual([])
  })

  test('that does not say its version tells it by its name, or admits that it does not know', async () => {
    const named = tools(join(home, 'firtool-1.70.0'), null)
    expect((await toolchains({ circtBin: named }).toolchainFor(null)).version).toBe('1.70.0')
    expect((await toolchains({ circtBin: tools(join(home, 'other'), null) }).toolchainFor(null)).version).toBeNull()
  })
})

describe('without a named folder', () => {
  test('the programs on PATH serve their version and every case that asks for none', async () => {
    const PATH = `${tools(join(home, 'path'), '1.62.1')}:/usr/bin:/bin`
    const box = toolchains({ env: { PATH }, works: true })
    expect((await box.toolchainFor('1.62.1')).pathOf('firtool')).toBe(join(home, 'path', 'firtool'))
    expect((await box.toolchainFor(null)).version).toBe('1.62.1')
    expect(fetches).toEqual([])
  })

  test('another pinned version is fetched, once', async () => {
    const PATH = `${tools(join(home, 'path'), '1.62.1')}:/usr/bin:/bin`
    for (let turn = 0; turn < 2; turn += 1) {
      const box = toolchains({ env: { PATH }, works: true })
      const both = await Promise.all([box.toolchainFor('1.155.0'), box.toolchainFor('1.155.0')])
      expect(both.map((toolchain) => toolchain.version)).toEqual(['1.155.0', '1.155.0'])
    }
    expect(fetches).toEqual(['1.155.0'])
  })

  test('a version that is neither there nor pinned falls back on PATH, and tells the truth', async () => {
    const PATH = `${tools(join(home, 'path'), '1.62.1')}:/usr/bin:/bin`
    expect((await toolchains({ env: { PATH }, works: true }).toolchainFor('1.99.0')).version).toBe('1.62.1')
    expect(fetches).toEqual([])
  })

  test('with nothing there an unknown version gets the default one', async () => {
    expect((await toolchains({ works: true }).toolchainFor('1.99.0')).version).toBe('1.155.0')
  })

  test('nothing there and nothing to fetch is one line that says what was tried and what to do', async () => {
    await expect(toolchains({}).toolchainFor('1.62.1')).rejects.toMatchObject({
      type: 'Tool.Missing',
      message:
        'CIRCT 1.62.1 is not there and could not be fetched: put its programs on PATH, or name their folder with ' +
        '--circt-bin or CIRCT_BIN. Tried: PATH: no CIRCT program; the test: closed; the test: closed',
    })
  })

  test('a fetch that failed is tried again the next time', async () => {
    const box = toolchains({})
    await expect(box.toolchainFor(null)).rejects.toThrow('closed')
    await expect(box.toolchainFor(null)).rejects.toThrow('closed')
    expect(fetches).toEqual(['1.155.0', '1.155.0'])
  })
})

test('a program the toolchain does not have is named in one line', async () => {
  const toolchain = await toolchains({ circtBin: tools(join(home, 'named'), '1.62.1') }).toolchainFor(null)
  expect(toolchain.has('circt-opt')).toBe(false)
  expect(() => toolchain.pathOf('circt-opt')).toThrow('circt-opt is not part of CIRCT 1.62.1')
})

test('doctor hears what is there without anything being fetched', async () => {
  const options = { home, env: { PATH: '' }, circtBin: null, progress: () => {}, sourcesOf: sources(true) }
  expect(await describeLocalToolchain(options)).toBeNull()
  expect(await describeLocalToolchain({ ...options, circtBin: tools(join(home, 'n'), '1.62.1') })).toBe('CIRCT 1.62.1')
  expect(fetches).toEqual([])
})

describe('fetched programs', () => {
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')

  test('from the release archive are the pinned ones alone', async () => {
    const bin = join(home, 'firtool-1.2.3', 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'firtool'), 'linux', { mode: 0o755 })
    writeFileSync(join(bin, 'unknown'), 'unpinned', { mode: 0o755 })
    execFileSync('tar', ['-czf', join(home, 'a.tar.gz'), '-C', home, 'firtool-1.2.3'])
    const asked: string[] = []
    const server = await fileServer(({ url }, response) => {
      asked.push(url ?? '')
      response.end(readFileSync(join(home, 'a.tar.gz')))
    })
    const fetchInto = (name: string, pin: string) => {
      const into = join(home, name)
      mkdirSync(into)
      const order = { version: '1.2.3', platform: 'linux-x64', tools: { firtool: pin }, releases: server.url }
      return toolchainSources({ ...order, env: { PATH: '/usr/bin:/bin' }, progress: () => {} })[0]?.fetch(into)
    }
    await fetchInto('good', sha('linux'))
    expect(asked).toEqual(['/firtool-1.2.3/firrtl-bin-linux-x64.tar.gz'])
    expect(readdirSync(join(home, 'good'))).toEqual(['firtool'])
    await expect(fetchInto('bad', sha('other'))).rejects.toThrow('refused')
    await server.close()
  })

  test('from Maven are those of this platform alone, held to their pins', async () => {
    const folder = 'org.chipsalliance/llvm-firtool'
    const jar = storedZip({
      [`${folder}/linux-x64/bin/firtool`]: 'linux',
      [`${folder}/linux-x64/bin/unknown`]: 'unpinned',
      [`${folder}/macos-x64/bin/firtool`]: 'macos',
    })
    writeFileSync(join(home, 'jar'), jar)
    const mvn = `#!/bin/sh\nfor a; do case "$a" in -DoutputDirectory=*) cp "${join(home, 'jar')}" "\${a#*=}/llvm-firtool-1.2.3.jar";; esac; done\n`
    mkdirSync(join(home, 'bin'))
    writeFileSync(join(home, 'bin', 'mvn'), mvn, { mode: 0o755 })
    const env = { PATH: `${join(home, 'bin')}:/usr/bin:/bin` }
    const fetchInto = (name: string, pin: string) => {
      const into = join(home, name)
      mkdirSync(into)
      const order = { version: '1.2.3', platform: 'linux-x64', tools: { firtool: pin }, env, progress: () => {} }
      return toolchainSources(order)[1]?.fetch(into)
    }
    await fetchInto('good', sha('linux'))
    await expect(
      checkTools({ version: '1.2.3', tools: { firtool: sha('linux') } }, join(home, 'good')),
    ).resolves.toBeUndefined()
    await expect(
      checkTools({ version: '1.2.3', tools: { unknown: sha('unpinned') } }, join(home, 'good')),
    ).rejects.toThrow('holds no')
    await expect(fetchInto('bad', sha('macos'))).rejects.toThrow(
      `firtool 1.2.3 is ${sha('linux')}, expected ${sha('macos')}: refused`,
    )
  })
})

describe('the pins', () => {
  test('are SHA-256 of known programs, for both versions and every platform of theirs', () => {
    const known = new Set<string>(CirctTool.options)
    for (const [version, platforms] of Object.entries(toolchainPins)) {
      expect(Object.keys(platforms)).toEqual(expect.arrayContaining(['linux-x64', 'macos-x64', 'windows-x64']))
      for (const pins of Object.values(platforms)) {
        expect(Object.keys(pins).filter((tool) => !known.has(tool))).toEqual([])
        expect(Object.values(pins).filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([])
        expect(Object.keys(pins).includes('circt-opt')).toBe(version === '1.155.0')
      }
    }
  })

  test.each([
    ['1.155.0', 'linux-x64', 'linux-x64'],
    ['1.155.0', 'darwin-arm64', 'macos-aarch64'],
    ['1.62.1', 'darwin-arm64', 'macos-x64'],
    ['1.62.1', 'win32-x64', 'windows-x64'],
    ['1.62.1', 'linux-arm64', undefined],
    ['1.0.0', 'linux-x64', undefined],
  ])('%s on %s comes from %s', (version, machine, platform) => {
    expect(pinsFor(version, machine)?.platform).toBe(platform)
  })
})
