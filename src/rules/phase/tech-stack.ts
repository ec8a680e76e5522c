import type { ProjectFiles } from './project-context.js'

/** Lower-case names, languages first, then what the manifests depend on and is worth knowing (seed 001, 5.2). */
export function techStackOf(files: ProjectFiles): string[] {
  const languages = LANGUAGES.filter(({ extension }) => files.paths.some((path) => extension.test(path)))
  const names = dependenciesOf(files)
  const known = NOTABLE.filter((name) => names.has(name))
  const runners = usesNodeTest(files) ? ['node:test'] : []
  return [...new Set([...languages.map(({ name }) => name), ...known, ...runners])]
}

const LANGUAGES = [
  { name: 'typescript', extension: /\.[cm]?tsx?$/ },
  { name: 'javascript', extension: /\.[cm]?jsx?$/ },
  { name: 'python', extension: /\.pyi?$/ },
  { name: 'go', extension: /\.go$/ },
  { name: 'rust', extension: /\.rs$/ },
  { name: 'java', extension: /\.java$/ },
  { name: 'kotlin', extension: /\.kts?$/ },
  { name: 'ruby', extension: /\.rb$/ },
  { name: 'php', extension: /\.php$/ },
  { name: 'c#', extension: /\.cs$/ },
  { name: 'c++', extension: /\.(?:cc|cpp|cxx|hpp)$/ },
  { name: 'c', extension: /\.[ch]$/ },
] as const

/** Runners, frameworks and tools that change how one writes code; a new one is one word. */
const NOTABLE = [
  'vitest jest mocha ava tape jasmine playwright cypress pytest unittest nose2 tox junit',
  'react next vue nuxt svelte angular solid-js astro vite webpack rollup esbuild tailwindcss',
  'express fastify koa hono nestjs fastapi django flask starlette pydantic sqlalchemy spring axum tokio',
  'prisma drizzle-orm typeorm mongoose zod numpy pandas',
  'eslint prettier biome oxlint ruff black mypy pyright',
].flatMap((line) => line.split(' '))

/** Packages that go by another name than the one people use. */
const ALIASES: Readonly<Record<string, string>> = {
  '@playwright/test': 'playwright',
  '@nestjs/core': 'nestjs',
  '@angular/core': 'angular',
  '@biomejs/biome': 'biome',
  '@jest/core': 'jest',
  'pytest-cov': 'pytest',
}

function dependenciesOf({ texts }: ProjectFiles): Set<string> {
  const names = [...nodeDependencies(texts['package.json']), ...wordsOfManifests(texts)]
  return new Set(names.map((name) => ALIASES[name] ?? name))
}

const GROUPS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

function nodeDependencies(text: string | undefined): string[] {
  const manifest = fieldsOf(text)
  return GROUPS.flatMap((group) => Object.keys(recordOf(manifest[group]))).map((name) => name.toLowerCase())
}

/** Other manifests are read as words: a name that stands where a requirement or a table may stand is taken for one. */
function wordsOfManifests(texts: ProjectFiles['texts']): string[] {
  return Object.entries(texts)
    .filter(([path]) => path !== 'package.json' && path !== 'tsconfig.json')
    .flatMap(([, text]) => withoutComments(text).match(/(?<![\w@/-])[A-Za-z][\w-]*(?![\w-])/g) ?? [])
    .map((word) => word.toLowerCase().replaceAll('_', '-'))
}

function withoutComments(text: string): string {
  return text.replaceAll(/(?:^|\s)#.*$/gm, '')
}

function usesNodeTest({ texts }: ProjectFiles): boolean {
  const scripts = Object.values(recordOf(fieldsOf(texts['package.json'])['scripts']))
  return scripts.some((script) => typeof script === 'string' && /\bnode\b[^|&;]*\s--test\b/.test(script))
}

/** A manifest that cannot be read says nothing; the gates will say that it is broken. */
export function fieldsOf(text: string | undefined): Record<string, unknown> {
  try {
    return text === undefined ? {} : recordOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Seed 001, 5.5: how a tester is told to write tests. */
export function testFrameworkHint(techStack: readonly string[]): string {
  return HINTS.find(([name]) => techStack.includes(name))?.[1] ?? 'Use existing test framework conventions'
}

const HINTS: readonly (readonly [string, string])[] = [
  ['vitest', 'Vitest - use describe/it/expect'],
  ['jest', 'Jest - use describe/test/expect'],
  ['pytest', 'pytest - use functions named test_… and plain assert'],
  ['node:test', 'node:test - use describe/it from node:test and node:assert/strict'],
]
