import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommitId, CommitStamp, RepositoryRef } from '../../../src/contracts/git.js'
import { redactUrls, repositoryUrlProblem, transportOf } from '../../../src/rules/git/repository-url.js'

describe('a repository is named by', () => {
  it.each([
    '/srv/repo.git',
    '/with blank/ü',
    'file:///srv/a%20b',
    'https://example.org/a/b.git',
    'http://localhost:3000/a',
    'https://[::1]:8443/a',
    'ssh://git@example.org:22/a.git',
    'git://example.org/a',
    'git@example.org:a/b.git',
    'host:path',
  ])('%s', (url) => {
    expect(RepositoryRef.parse({ url })).toEqual({ url })
  })

  it.each([
    ['ext::sh -c touch% /tmp/x', /absolute path/],
    ['fd::17', /absolute path/],
    ['transport::https://example.org', /absolute path/],
    ['--upload-pack=touch x', /dash/],
    ['-u', /dash/],
    ['relative/path', /absolute path/],
    ['../up', /absolute path/],
    ['ftp://example.org/a', /expected one of file, https, http, ssh, git/],
    ['file://host/a', /file:\/\/\/PATH/],
    ['file:///%00', /file:\/\/\/PATH/],
    ['file:///%zz', /file:\/\/\/PATH/],
    ['https://user:secret@example.org/a', /no password or token/],
    ['https://ghp_token@example.org/a', /no password or token/],
    ['ssh://git:secret@example.org/a', /no password or token/],
    ['ssh://-oProxyCommand=x/a', /expected a host/],
    ['https:///a', /expected a host/],
    ['-oProxyCommand=x:a', /dash/],
    ['host:-a', /absolute path/],
    ['/a\nb', /control characters/],
    ['', /./],
  ])('never %s', (url, problem) => {
    expect(RepositoryRef.safeParse({ url }).error?.issues[0]?.message).toMatch(problem)
  })

  it('any text without crashing, and never by the name of a program', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (text.includes('::') && !/^[/a-z]+:?\/\//.test(text) && !text.startsWith('/'))
          expect(repositoryUrlProblem(text)).not.toBeNull()
      }),
    )
  })
})

it.each([
  ['/a/b', { kind: 'local', path: '/a/b' }],
  ['file:///a%20b', { kind: 'local', path: '/a b' }],
  ['https://example.org/a', { kind: 'remote', url: 'https://example.org/a' }],
  ['host:path', { kind: 'remote', url: 'host:path' }],
])('%s is reached so', (url, transport) => {
  expect(transportOf(url)).toEqual(transport)
})

it.each([
  [
    "fatal: unable to access 'https://me:t0ken@example.org/a.git/': 403",
    "fatal: unable to access 'https://***@example.org/a.git/': 403",
  ],
  ['https://t0ken@example.org and ssh://git@example.org', 'https://***@example.org and ssh://***@example.org'],
  ['https://a:p@ss@example.org/x', 'https://***@example.org/x'],
  ['mail a@example.org about https://example.org/@scope/x', 'mail a@example.org about https://example.org/@scope/x'],
])('%s is told without its secrets', (text, shown) => {
  expect(redactUrls(text)).toBe(shown)
})

it.each(['a'.repeat(40), '0'.repeat(64)])('%s is the id of a commit', (id) => {
  expect(CommitId.parse(id)).toBe(id)
})

it.each(['a'.repeat(39), 'A'.repeat(40), 'a'.repeat(41), 'HEAD', `${'a'.repeat(40)}\n`])('%j is none', (id) => {
  expect(CommitId.safeParse(id).success).toBe(false)
})

const stamp = { name: 'Gauntlet', email: 'g@example.org', at: '2026-01-02T03:04:05Z' }

it.each([{ name: 'a <b>' }, { name: '.' }, { name: 'a\nb' }, { email: '' }, { at: 'yesterday' }])(
  'a commit is not stamped with %j',
  (part) => {
    expect(CommitStamp.safeParse(stamp).success).toBe(true)
    expect(CommitStamp.safeParse({ ...stamp, ...part }).success).toBe(false)
  },
)
