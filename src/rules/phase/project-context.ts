import type { ProjectContext } from '../../contracts/phase-context.js'
import { conventionsOf } from './project-conventions.js'
import { techStackOf } from './tech-stack.js'

export interface ProjectFiles {
  /** Paths of the files under version control, relative, with forward slashes. */
  paths: readonly string[]
  /** Text of the files in `READ_FILES` that are there, by path; each cut to some 64 KB. */
  texts: Readonly<Record<string, string>>
}

/** What a person new to the repository would look at first: these files are read, nothing else. */
export const READ_FILES = [
  'package.json',
  'tsconfig.json',
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'setup.py',
  'setup.cfg',
  'go.mod',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  '.editorconfig',
] as const

/** Seed 001, 5.2: what agents are told of the project, detected by rules from its files. */
export function projectContext(files: ProjectFiles): ProjectContext {
  return { techStack: techStackOf(files), structure: structureOf(files.paths), conventions: conventionsOf(files) }
}

const SHOWN_FOLDERS = 24
const SHOWN_FILES = 16

/** The folders of the first two levels with their number of files, and the files at the top; bounded, the bigger first. */
function structureOf(paths: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const path of paths) for (const folder of foldersOf(path)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  const biggest = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, SHOWN_FOLDERS)
  const shown = biggest.sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, count]) => `${folder}/ (${count} files)`)
  const top = paths.filter((path) => !path.includes('/')).sort()
  return [
    ...shown,
    ...leftOut(counts.size - shown.length, 'folders'),
    ...top.slice(0, SHOWN_FILES),
    ...leftOut(top.length - SHOWN_FILES, 'files at the top'),
  ].join('\n')
}

function foldersOf(path: string): string[] {
  const folders = path.split('/').slice(0, -1).slice(0, 2)
  return folders.map((_, index) => folders.slice(0, index + 1).join('/'))
}

function leftOut(count: number, what: string): string[] {
  return count > 0 ? [`(${count} more ${what})`] : []
}
