import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lastCommand, programOf } from '../../rules/quality-script.js'
import type { TestPlan } from './gate-plan.js'
import type { Project } from './project.js'

/**
 * The plan for these files only, where the runner takes files; null where it does not, or where none of them is a file of tests.
 * @param copy the project, absolute
 */
export function restrictTests(plan: TestPlan, project: Project, where: { copy: string; files: readonly string[] }) {
  const isPython = project.kind === 'python'
  const files = where.files.filter((file) => isTest(file, isPython) && existsSync(join(where.copy, file)))
  if (files.length === 0 || project.config.gates?.test !== undefined) return null
  const words = wordsFor(plan, project, files)
  return words === null ? null : { ...plan, argv: [...plan.argv, ...words] }
}

/** A name that begins with a dash would be taken for an option. */
function isTest(file: string, isPython: boolean): boolean {
  if (file.startsWith('-')) return false
  if (isPython) return /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(file)
  return /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?)\/.*\.[cm]?[jt]sx?$|(?:^|\/)test-[^/]*\.[cm]?js$/.test(
    file,
  )
}

function wordsFor(
  { argv, format }: TestPlan,
  { manifest }: Project,
  files: readonly string[],
): readonly string[] | null {
  if (format === 'vitest') return files
  // Jest takes patterns.
  if (format === 'jest') return files.map((file) => `${file.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`)
  if (format === 'junit') return argv.includes('pytest') ? files : null
  // With patterns of its own, Node would run those as well.
  return argv[0] === 'npm' && isBareNode(manifest?.scripts['test'] ?? '') ? ['--', ...files] : null
}

function isBareNode(text: string): boolean {
  const script = lastCommand(text)
  return programOf(script) === 'node' && script.isPlain && script.words.slice(1).every((word) => word === '--test')
}
