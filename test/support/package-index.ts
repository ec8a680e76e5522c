import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface PackageIndex {
  /** Of the npm registry; the Python index is below it at `simple`. */
  url: string
  requests: string[]
  /** What a lockfile says of the package. */
  locked(name: string): { version: string; resolved: string; integrity: string }
  close(): Promise<void>
}

/** A registry of npm and an index of pip in one, on this machine alone, with these packages (files by path). */
export async function packageIndex(packages: Record<string, Record<string, string>>): Promise<PackageIndex> {
  const served = new Map<string, Buffer>()
  const requests: string[] = []
  for (const [name, files] of Object.entries(packages)) {
    served.set(`/${name}-1.0.0.tgz`, tarball(name, files))
    served.set(`/${name}/-/${name}-1.0.0.tgz`, tarball(name, files))
  }
  const wheel = 'gauntletwheel-1.0.0-py3-none-any.whl'
  served.set(`/${wheel}`, wheelOf())
  served.set('/simple/gauntletwheel/', Buffer.from(`<a href="/${wheel}">${wheel}</a>`))
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const body = served.get(request.url ?? '')
    response.statusCode = body === undefined ? 404 : 200
    if (request.url?.startsWith('/simple')) response.setHeader('content-type', 'text/html')
    response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const locked = (name: string) => {
    const bytes = served.get(`/${name}-1.0.0.tgz`) ?? Buffer.alloc(0)
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    return { version: '1.0.0', resolved: `${url}/${name}-1.0.0.tgz`, integrity }
  }
  for (const name of Object.keys(packages)) {
    const { version, resolved, integrity } = locked(name)
    const versions = { [version]: { name, version, main: 'index.js', dist: { tarball: resolved, integrity } } }
    served.set(`/${name}`, Buffer.from(JSON.stringify({ name, 'dist-tags': { latest: version }, versions })))
  }
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, requests, locked, close }
}

function tarball(name: string, files: Record<string, string>): Buffer {
  return inFolder((folder) => {
    const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', main: 'index.js' }), ...files }
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(folder, 'package', path)), { recursive: true })
      writeFileSync(join(folder, 'package', path), text)
    }
    execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
    return readFileSync(join(folder, 'package.tgz'))
  })
}

/** The smallest wheel: one module and a script. */
function wheelOf(): Buffer {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'make.py'), WHEEL)
    execFileSync('python3', ['make.py'], { cwd: folder })
    return readFileSync(join(folder, 'made.whl'))
  })
}

const WHEEL = `
import zipfile
info = "gauntletwheel-1.0.0.dist-info"
with zipfile.ZipFile("made.whl", "w") as out:
    out.writestr("gauntletwheel.py", "VALUE = 42\\ndef main(): print('wheel', VALUE)\\n")
    out.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: gauntletwheel\\nVersion: 1.0.0\\n")
    out.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    out.writestr(info + "/entry_points.txt", "[console_scripts]\\ngauntletwheel = gauntletwheel:main\\n")
    out.writestr(info + "/RECORD", "")
`

function inFolder(work: (folder: string) => Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'gauntlet-index-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
