import type { ProjectFiles } from './project-context.js'
import { fieldsOf, recordOf } from './tech-stack.js'
import { isTestFile } from './test-files.js'

/** One line per convention that the files show; none is guessed. */
export function conventionsOf(files: ProjectFiles): string {
  return RULES.flatMap((rule) => rule(files))
    .map((line) => `- ${line}`)
    .join('\n')
}

type Rule = (files: ProjectFiles) => string[]

const RULES: readonly Rule[] = [
  ({ paths }) =>
    LOCK_FILES.filter(([file]) => paths.includes(file)).map(([, tool]) => `dependencies are managed by ${tool}`),
  ({ texts }) =>
    fieldsOf(texts['package.json'])['type'] === 'module' ? ['JavaScript modules are ECMAScript modules'] : [],
  ({ texts }) => scriptsOf(texts['package.json']),
  ({ texts }) => (/"strict"\s*:\s*true/.test(texts['tsconfig.json'] ?? '') ? ['TypeScript is strict'] : []),
  ({ paths }) => TOOLS.filter(([pattern]) => paths.some((path) => pattern.test(path))).map(([, says]) => says),
  ({ texts }) => indentationOf(texts['.editorconfig']),
  ({ paths }) => testsOf(paths),
  ({ paths }) => fileNamesOf(paths),
  ({ paths }) => guidesOf(paths),
]

const LOCK_FILES = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'Yarn'],
  ['bun.lockb', 'Bun'],
  ['bun.lock', 'Bun'],
  ['poetry.lock', 'Poetry'],
  ['uv.lock', 'uv'],
  ['Pipfile.lock', 'Pipenv'],
] as const

const TOOLS = [
  [/^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/, 'code passes ESLint'],
  [/^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.[cm]?js)$/, 'code is formatted by Prettier'],
  [/^biome\.jsonc?$/, 'code passes Biome'],
  [/^\.oxlintrc\.json$/, 'code passes oxlint'],
  [/^\.?ruff\.toml$/, 'code passes Ruff'],
  [/^\.golangci\.ya?ml$/, 'code passes golangci-lint'],
  [/^rustfmt\.toml$/, 'code is formatted by rustfmt'],
] as const

const SCRIPTS = ['build', 'test', 'lint', 'format', 'typecheck', 'e2e']

function scriptsOf(manifest: string | undefined): string[] {
  const scripts = recordOf(fieldsOf(manifest)['scripts'])
  const there = SCRIPTS.filter((name) => typeof scripts[name] === 'string')
  return there.length === 0 ? [] : [`npm scripts: ${there.join(', ')}`]
}

function indentationOf(config = ''): string[] {
  const style = /^\s*indent_style\s*=\s*(\w+)/m.exec(config)?.[1]
  const size = /^\s*indent_size\s*=\s*(\d+)/m.exec(config)?.[1]
  if (style === 'tab') return ['indentation by tabs']
  return style === 'space' && size !== undefined ? [`indentation by ${size} spaces`] : []
}

function testsOf(paths: readonly string[]): string[] {
  const tests = paths.filter(isTestFile)
  const folder = mostFrequent(tests.map((path) => path.split('/').slice(0, -1)[0] ?? '.'))
  const ending = mostFrequent(tests.map((path) => /(?:[._-](?:test|spec))?\.\w+$/.exec(path)?.[0] ?? ''))
  if (folder === null || ending === null) return []
  return [`tests are in ${folder === '.' ? 'the top folder' : `${folder}/`}, most of them named *${ending}`]
}

const CASES = [
  ['kebab-case', /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ['snake_case', /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ['PascalCase', /^(?:[A-Z][a-z0-9]+){2,}$/],
  ['camelCase', /^[a-z0-9]+(?:[A-Z][a-z0-9]*)+$/],
] as const
const FEWEST_NAMES = 3

/** By the file names of more than one word: those of one word are of every case. */
function fileNamesOf(paths: readonly string[]): string[] {
  const names = paths
    .filter((path) => path.includes('/') && !isTestFile(path) && /\.(?:[cm]?[jt]sx?|py|go|rs|rb)$/.test(path))
    .map((path) => path.split('/').at(-1)?.split('.')[0] ?? '')
  const cases = names.flatMap((name) => CASES.filter(([, pattern]) => pattern.test(name)).map(([word]) => word))
  const most = mostFrequent(cases)
  const count = cases.filter((each) => each === most).length
  return most !== null && count >= FEWEST_NAMES && count * 2 > cases.length ? [`file names are in ${most}`] : []
}

const GUIDES = [
  'AGENTS.md',
  'CLAUDE.md',
  'CONTRIBUTING.md',
  'STYLE.md',
  'docs/CONTRIBUTING.md',
  '.github/CONTRIBUTING.md',
]

function guidesOf(paths: readonly string[]): string[] {
  const there = GUIDES.filter((path) => paths.includes(path))
  return there.length === 0 ? [] : [`more is in ${there.join(', ')}`]
}

/** The first one among equals; null of nothing. */
function mostFrequent<T extends string>(words: readonly T[]): T | null {
  const counts = new Map<T, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null
}
