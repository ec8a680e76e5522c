import type { RefineTechStack } from '../../contracts/refine-answers.js'
import { FRAMEWORK_WORDS, type Language, LANGUAGE_ROWS, STYLE_FILES, TEST_WORDS } from './tech-stack-marks.js'

export interface RepositoryLook {
  /** Paths of all files. */
  paths: readonly string[]
  /** Text of the manifests among them, by path: see `MANIFESTS`. */
  manifests: ReadonlyMap<string, string>
}

/** Files whose text is worth reading: the manifests nearest to the root, at most so many. */
export function manifestsAmong(paths: readonly string[], most = 12): string[] {
  return paths
    .filter((path) => MANIFESTS.has(baseName(path)) && !isForeign(path))
    .sort((left, right) => depthOf(left) - depthOf(right) || (left < right ? -1 : 1))
    .slice(0, most)
}

/** What a repository is written in and with, by its files alone. Null when nothing says so: then a person has to. */
export function detectTechStack({ paths, manifests }: RepositoryLook): RefineTechStack | null {
  const own = paths.filter((path) => !isForeign(path))
  const languages = rankLanguages(own, manifests)
  const [main] = languages
  if (main === undefined) return null
  const texts = main.manifests.flatMap((name) => textsNamed(manifests, name))
  const words = texts.join('\n')
  return {
    language: main.name === 'JavaScript' && isTyped(own) ? 'TypeScript' : main.name,
    language_version: firstMatch(words, main.version),
    ...frameworkOf(words, main),
    build_tool: main.buildTools.find(([file]) => own.some((path) => baseName(path) === file))?.[1] ?? null,
    test_framework: TEST_WORDS[main.name]?.find((word) => hasWord(words, word)) ?? null,
    code_style: STYLE_FILES.find(([file]) => own.some((path) => baseName(path) === file))?.[1] ?? null,
    constraints: constraintsOf(main.name, texts),
    project_type: projectType(own, languages),
  }
}

const MANIFESTS = new Set(LANGUAGE_ROWS.flatMap(({ manifests }) => manifests))

/** Other people's code, and what is made by tools. */
function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|vendor|third_party|dist|build|target|\.[^/]+)\//.test(path)
}

/** By number of source files; a manifest counts like many, because a small project still has a language. */
function rankLanguages(paths: readonly string[], manifests: ReadonlyMap<string, string>): Language[] {
  const counts = LANGUAGE_ROWS.map((row) => {
    const sources = paths.filter((path) => row.extensions.some((extension) => path.endsWith(extension))).length
    const isNamed = [...manifests.keys()].some((path) => row.manifests.includes(baseName(path)))
    return { row, weight: sources + (isNamed && sources > 0 ? MANIFEST_WEIGHT : 0) + (isNamed ? 0.5 : 0) }
  })
  return counts
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ row }) => row)
}

const MANIFEST_WEIGHT = 5

function textsNamed(manifests: ReadonlyMap<string, string>, name: string): string[] {
  return [...manifests].filter(([path]) => baseName(path) === name).map(([, text]) => text)
}

function isTyped(paths: readonly string[]): boolean {
  const count = (pattern: RegExp) => paths.filter((path) => pattern.test(path)).length
  return count(/(?<!\.d)\.[cm]?tsx?$/) > count(/\.[cm]?jsx?$/)
}

function frameworkOf(words: string, { name }: Language): Pick<RefineTechStack, 'framework' | 'framework_version'> {
  const found = FRAMEWORK_WORDS[name]?.find(([word]) => hasWord(words, word))
  if (found === undefined) return { framework: null, framework_version: null }
  const [word, framework] = found
  return {
    framework,
    framework_version: firstMatch(words, new RegExp(`${quoted(word)}["'\\]]?[^\\n\\d]{0,6}(\\d+(?:\\.\\d+)*)`)),
  }
}

/** A whole word of a manifest: 'react' is not in "react-native". */
function hasWord(words: string, word: string): boolean {
  return new RegExp(`(?<![\\w@/.-])${quoted(word)}(?![\\w-])`, 'i').test(words)
}

function constraintsOf(language: string, texts: readonly string[]): string[] {
  const words = texts.join('\n')
  const rows: readonly [string, boolean][] = [
    ['ES modules', language === 'JavaScript' && /"type"\s*:\s*"module"/.test(words)],
    ['Pydantic', language === 'Python' && hasWord(words, 'pydantic')],
    ['strict types', language === 'Python' && hasWord(words, 'mypy')],
    ['async/await', language === 'Python' && /\b(fastapi|asyncio|aiohttp|starlette)\b/i.test(words)],
  ]
  return rows.filter(([, holds]) => holds).map(([name]) => name)
}

function projectType(paths: readonly string[], languages: readonly Language[]): RefineTechStack['project_type'] {
  const isMonorepo = paths.some((path) => MONOREPO_FILES.includes(path)) || countManifests(paths) > 2
  if (isMonorepo) return 'monorepo'
  return languages.length > 1 ? 'multi-language' : 'single'
}

const MONOREPO_FILES = ['pnpm-workspace.yaml', 'lerna.json', 'nx.json', 'turbo.json', 'go.work']

function countManifests(paths: readonly string[]): number {
  const names = ['package.json', 'pyproject.toml', 'go.mod', 'Cargo.toml', 'pom.xml']
  return paths.filter((path) => names.includes(baseName(path)) && !/(^|\/)(examples?|tests?|fixtures)\//.test(path))
    .length
}

function firstMatch(words: string, pattern: RegExp | null): string | null {
  return (pattern === null ? null : pattern.exec(words)?.[1]?.trim().slice(0, 60)) ?? null
}

function quoted(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function depthOf(path: string): number {
  return path.split('/').length
}
