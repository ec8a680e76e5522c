import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchFile, fetchJson } from '../../../src/tools/download/fetch-file.js'
import { officialSource } from '../../../src/tools/download/temporal-cli.js'
import { fileServer } from '../../support/file-server.js'

const scratch = mkdtempSync(join(tmpdir(), 'fetch-file-'))
let to: string
let into: string

beforeEach(() => {
  into = mkdtempSync(join(scratch, 'into-'))
  to = join(into, 'file')
})
afterAll(() => rmSync(scratch, { recursive: true }))

function request(url: string, maxBytes = 1000) {
  return { url, to, maxBytes, label: 'it', progress: () => {} }
}

test('a file arrives whole', async () => {
  const server = await fileServer((_, response) => response.end('x'.repeat(1000)))
  await fetchFile(request(server.url))
  expect(readFileSync(to, 'utf8')).toBe('x'.repeat(1000))
  await server.close()
})

test('a file that is larger than allowed is an error', async () => {
  const server = await fileServer((_, response) => response.end('x'.repeat(1001)))
  await expect(fetchFile(request(server.url))).rejects.toThrow('larger than 1000 bytes')
  await server.close()
})

test('a file that breaks off is an error', async () => {
  const server = await fileServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
  })
  await expect(fetchFile(request(server.url))).rejects.toThrow(/terminated|other side closed/)
  await server.close()
})

test('a refusal is told in one short line, with its host and status', async () => {
  const server = await fileServer((_, response) => response.writeHead(403).end())
  await expect(fetchJson(`${server.url}/it?token=secret`)).rejects.toThrow(`${new URL(server.url).host} answered 403`)
  await server.close()
  await expect(fetchJson(server.url)).rejects.toThrow('cannot be reached (ECONNREFUSED)')
})

describe('the official Temporal server', () => {
  const flags = '--db-filename --sqlite-pragma --dynamic-config-value --search-attribute --ui-port'

  /** A site like Temporal's, whose archive holds a `temporal` of this server version. */
  async function site(serverVersion: string) {
    const folder = mkdtempSync(join(scratch, 'site-'))
    const script = `#!/bin/sh\ncase "$*" in --version) echo "temporal version 1 (Server ${serverVersion})";; *) echo "${flags}";; esac\n`
    writeFileSync(join(folder, 'temporal'), script, { mode: 0o755 })
    writeFileSync(join(folder, 'LICENSE'), 'x')
    execFileSync('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'temporal', 'LICENSE'])
    const archive = readFileSync(join(folder, 'a.tar.gz'))
    const server = await fileServer(({ url, headers }, response) => {
      const info = { archiveUrl: `http://${headers.host}/a.tar.gz`, fileToExtract: 'temporal' }
      if (url?.startsWith('/cli/default?arch=')) response.end(JSON.stringify(info))
      else response.end(archive)
    })
    return server
  }

  async function fetchFrom(serverVersion: string): Promise<void> {
    const server = await site(serverVersion)
    mkdirSync(join(into, 'it'))
    const context = { cache: scratch, env: { PATH: '/usr/bin:/bin' }, progress: () => {} }
    try {
      await officialSource(context, server.url).fetch(join(into, 'it'))
    } finally {
      await server.close()
    }
  }

  test('is unpacked from the archive the site names', async () => {
    await fetchFrom('1.26.0')
    expect(readdirSync(join(into, 'it'))).toEqual(['temporal'])
  })

  test('is refused when it is too old for us', async () => {
    await expect(fetchFrom('1.25.9')).rejects.toThrow('has server 1.25, needed is 1.26')
  })
})
