import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { downloadCache, stateFolder, stateHome } from '../../src/tools/state-home.js'

const scratch = mkdtempSync(join(tmpdir(), 'state-home-'))
afterAll(() => rmSync(scratch, { recursive: true }))

describe('stateHome', () => {
  test('GAUNTLET_HOME wins over XDG_STATE_HOME', () => {
    const env = { GAUNTLET_HOME: join(scratch, 'own'), XDG_STATE_HOME: join(scratch, 'xdg') }
    expect(stateHome(env)).toBe(join(scratch, 'own'))
  })

  test('without it the home is the folder gauntlet of XDG_STATE_HOME', () => {
    expect(stateHome({ XDG_STATE_HOME: join(scratch, 'xdg') })).toBe(join(scratch, 'xdg', 'gauntlet'))
  })

  test.skipIf(process.platform === 'win32')('a new home is closed to other users', () => {
    const home = stateHome({ GAUNTLET_HOME: join(scratch, 'deep', 'er') })
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })

  test('a home that is there already is taken as it is, and through a link', () => {
    mkdirSync(join(scratch, 'there'))
    symlinkSync(join(scratch, 'there'), join(scratch, 'link'))
    for (const name of ['there', 'link']) expect(stateHome({ GAUNTLET_HOME: join(scratch, name) })).toContain(name)
  })

  test.skipIf(process.platform !== 'linux')('a home where there can be no folders is refused at once', () => {
    expect(() => stateHome({ GAUNTLET_HOME: '/proc/gauntlet/home' })).toThrow('ENOENT')
  })
})

test.each([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.local/state'],
  ['linux', { HOME: '/home/ada', XDG_STATE_HOME: 'relative' }, '/home/ada/.local/state'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support'],
  ['darwin', { HOME: '/Users/ada', XDG_STATE_HOME: '/xdg' }, '/xdg'],
] as const)('on %s with %j state goes to %s', (platform, env, expected) => {
  expect(stateFolder(env, platform)).toBe(expected)
})

test('GAUNTLET_CACHE lets homes share downloads', () => {
  expect(downloadCache(join(scratch, 'a'), {})).toBe(join(scratch, 'a', 'downloads'))
  expect(downloadCache(join(scratch, 'a'), { GAUNTLET_CACHE: join(scratch, 'shared') })).toBe(join(scratch, 'shared'))
})
