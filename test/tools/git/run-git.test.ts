import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGit, withSignal } from '../../../src/tools/git/git.js'
import { firstComplaint, runGit, tryGit } from '../../../src/tools/git/run-git.js'
import { aGit, aRepository, freshFolder, git, runner } from '../../support/git-repository.js'

it.each([
  ['hint: x\nfatal: not here\n', 'fatal: not here'],
  ["warning: a\nerror: b 'c'\nfatal: d", "error: b 'c'"],
  [
    "fatal: '/home/person/work/repo.git' does not appear to be a git repository",
    "fatal: 'repo.git' does not appear to be a git repository",
  ],
  [
    "fatal: unable to access 'https://me:t0ken@example.org/a/b.git/': no",
    "fatal: unable to access 'https://***@example.org/a/b.git/': no",
  ],
  ['fatal: \u001b[31mred', 'fatal: [31mred'],
  ['', ''],
])('of %j people are told %j', (stderr, line) => {
  expect(firstComplaint(stderr).replace(/\s+/g, ' ')).toBe(line)
})

describe('git', () => {
  it('that is missing, or too old, is said before anything is done', async () => {
    const home = freshFolder()
    await expect(openGit({ home, env: { PATH: '' }, run: runner })).rejects.toMatchObject({ type: 'Tool.Missing' })
    const bin = join(home, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.0\n', { mode: 0o755 })
    await expect(openGit({ home, env: { PATH: bin }, run: runner })).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: 'expected git 2.38 or newer, got 2.30',
    })
  })

  it('reads no configuration of the person or of the machine', async () => {
    const home = freshFolder()
    writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = person\n')
    const env = { ...process.env, HOME: home, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' }
    const opened = await openGit({ home, env, run: runner })
    const listed = await runGit(opened, { args: ['config', '--list', '--show-origin'] })
    expect(listed).toContain('core.hookspath=/dev/null')
    expect(listed).not.toMatch(/user\.name|a\.b/)
    expect(
      new Set(
        listed
          .trim()
          .split('\n')
          .map((line) => line.split('\t')[0]),
      ),
    ).toEqual(new Set([`file:${opened.configFile}`]))
  })

  it.each(['ext::sh -c "touch RAN"', 'fd::3', 'https://127.0.0.1:9/x'])(
    'does not speak %s unless it is told to',
    async (url) => {
      const opened = await aGit()
      const outcome = await tryGit(opened, { args: ['ls-remote', url.replace('RAN', join(opened.home, 'ran'))] })
      expect(outcome.exitCode).toBe(128)
      expect(outcome.stderr).toMatch(/transport '\w+' not allowed/)
      expect(existsSync(join(opened.home, 'ran'))).toBe(false)
    },
  )

  it('runs no hook, even of a repository that it may write', async () => {
    const repository = aRepository({ a: 'a' })
    const ran = join(freshFolder(), 'ran')
    const folder = join(repository, '.git')
    for (const hook of ['reference-transaction', 'post-receive'])
      writeFileSync(join(folder, 'hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
    const args = ['update-ref', 'refs/heads/new', git(repository, 'rev-parse', 'HEAD')]
    await runGit(await aGit(), { args, repository: folder, writable: [folder] })
    expect(existsSync(ran)).toBe(false)
    git(repository, 'update-ref', 'refs/heads/other', 'HEAD')
    expect(existsSync(ran), 'the hook is armed').toBe(true)
  })

  it('is stopped at its limits and by its signal', async () => {
    const opened = await aGit()

    const source = aRepository({ a: 'a' })
    const loop = { args: ['-c', 'alias.loop=!sleep 30', 'loop'], repository: join(source, '.git') }
    await expect(tryGit(opened, { ...loop, limits: { timeMs: 200 } })).rejects.toMatchObject({ type: 'Tool.TimedOut' })
    const stopped = withSignal(opened, AbortSignal.timeout(200))
    await expect(tryGit(stopped, loop)).rejects.toMatchObject({ name: 'TimeoutError' })
  })
})
