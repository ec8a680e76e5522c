import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RefineResult } from '../../src/contracts/refine.js'
import { ResultDocument } from '../../src/contracts/run.js'
import type { Ended, Place } from './e2e-cli.js'
import { freshFolder, git } from './git-repository.js'
import { scored, wrote } from './refine-run.js'

export const EXAMPLE = fileURLToPath(new URL('../../examples/refine', import.meta.url))

/** The example's project as a person's repository. */
export function notesRepository(): string {
  const folder = join(freshFolder(), 'notes')
  cpSync(join(EXAMPLE, 'project'), folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '-m', 'first')
  return folder
}

/** A script of three rounds, the last of which passes; every agent takes its time. */
export function slowScript({ root }: Place): string {
  const slow = (answer: object) => ({ ...answer, delay_ms: 1_000 })
  const answers = [60, 70, 90].flatMap((score, at) =>
    [
      wrote(at + 1, { 'src/search.js': `export const round = ${at + 1}\n` }),
      ...scored(at + 1, [score, score, score]),
    ].map(slow),
  )
  const file = join(root, 'slow.json')
  writeFileSync(file, JSON.stringify({ answers }))
  return file
}

export function resultOf({ stdout, stderr }: Ended): { document: ResultDocument; result: RefineResult } {
  if (stdout === '') throw new Error(`nothing was printed: ${stderr}`)
  const document = ResultDocument.parse(JSON.parse(stdout))
  return { document, result: RefineResult.parse(document.result) }
}
