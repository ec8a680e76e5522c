import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Release = z.object({
  package: z.string(),
  registry: z.enum(['npm', 'pypi']),
  before: z.string(),
  after: z.string(),
})
export type Release = z.infer<typeof Release>

const Fix = Release.extend({ advisory: z.string(), file: z.string(), wrong: z.string() })
export type Fix = z.infer<typeof Fix>

/** A list of published fixes that was written down before anything was run on it. */
export function readFixes(list: 'a' | 'b'): Fix[] {
  return z.object({ fixes: z.array(Fix) }).parse(readList(`fixes-${list}`)).fixes
}

/** A list of ordinary releases that was written down before anything was run on it. */
export function readReleases(): Release[] {
  return z.object({ releases: z.array(Release) }).parse(readList('releases')).releases
}

function readList(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`review/${name}.json`, import.meta.url), 'utf8'))
}

/** The unpacked files of one version, fetched once through the registry's own client. Nothing of it is run where a wheel or a tarball will do. */
export function unpacked(cache: string, { package: name, registry }: Release, version: string): string {
  const folder = join(cache, `${registry}-${name}-${version}`)
  if (existsSync(join(folder, 'ok'))) return join(folder, 'files')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'files'), { recursive: true })
  if (registry === 'npm') run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], folder)
  else fetchPython(folder, `${name}==${version}`)
  const archive = readdirSync(folder).find((file) => /\.(?:tgz|tar\.gz|zip|whl)$/.test(file)) ?? ''
  const isZip = /\.(?:zip|whl)$/.test(archive)
  const unzip = ['-m', 'zipfile', '-e', archive, 'files']
  if (isZip) run('python3', unzip, folder)
  else run('tar', ['xzf', archive, '-C', 'files', '--strip-components=1', '--no-same-owner'], folder)
  mkdirSync(join(folder, 'ok'))
  return join(folder, 'files')
}

function fetchPython(folder: string, wanted: string): void {
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '-d', '.']
  try {
    run('python3', [...pip, '--only-binary', ':all:', wanted], folder)
  } catch {
    // No wheel for this interpreter: the source, whose setup pip asks for its name.
    run('python3', [...pip, '--no-binary', ':all:', wanted], folder)
  }
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
}
