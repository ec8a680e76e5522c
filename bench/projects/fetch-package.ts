import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { must, type PublicPackage } from './public-package.js'

/**
 * Unpacks what the registry has into an empty folder, by the registry's ordinary client, and adds what a repository would have
 * besides: the lockfile of today, and gauntlet.json where one is needed.
 */
export async function fetchPackage(entry: PublicPackage, { into, scratch }: { into: string; scratch: string }) {
  const { name, version, registry, gauntlet } = entry
  const place = join(scratch, `fetched-${name.replaceAll(/\W/g, '-')}`)
  await mkdir(place)
  const order = {
    npm: ['npm', 'pack', '--silent', '--pack-destination', place, `${name}@${version}`],
    pypi: [
      'python3',
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      ...SDIST,
      '--dest',
      place,
      `${name}==${version}`,
    ],
  }[registry]
  await must(order, scratch)
  const [archive] = await readdir(place)
  if (archive === undefined) throw new Error(`${name}: nothing was fetched`)
  await must(['tar', 'xzf', join(place, archive), '--strip-components=1', '-C', into], scratch)
  if (registry === 'npm') await must(['npm', 'install', '--package-lock-only', '--ignore-scripts', ...QUIETLY], into)
  if (gauntlet !== null) await writeFile(join(into, 'gauntlet.json'), `${JSON.stringify(gauntlet, null, 2)}\n`)
}

const SDIST = ['--no-binary', ':all:']
const QUIETLY = ['--no-audit', '--no-fund', '--silent']
