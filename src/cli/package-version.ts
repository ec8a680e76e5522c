import { readFileSync } from 'node:fs'

/** The root of the installed package: the folder above both `src` and `dist`. */
export const PACKAGE_ROOT = new URL('../../', import.meta.url)

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as { version: string }
  return version
}
