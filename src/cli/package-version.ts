import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseJson } from '../contracts/parse.js'

/** The root of the installed package: the folder above both `src` and `dist`. */
export const PACKAGE_ROOT = new URL('../../', import.meta.url)

export function packageVersion(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')
  return parseJson(z.object({ version: z.string() }), text, 'package.json').version
}
