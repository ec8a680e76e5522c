/** A language as a repository shows it. */
export interface Language {
  name: string
  extensions: readonly string[]
  /** Base names of files that say what it is built of. */
  manifests: readonly string[]
  /** Its first group is the language's version; null where manifests do not say. */
  version: RegExp | null
  /** File to tool, first fit. */
  buildTools: readonly (readonly [file: string, tool: string])[]
}

/** Names as the aggregator's hints know them. A new language is one row. */
export const LANGUAGE_ROWS: readonly Language[] = [
  {
    name: 'Python',
    extensions: ['.py', '.pyi'],
    manifests: ['pyproject.toml', 'requirements.txt', 'setup.cfg', 'setup.py', 'Pipfile'],
    version: /(?:requires-python|python_requires|^python)\s*=\s*["']?([^"'\n,]+)/m,
    buildTools: [
      ['poetry.lock', 'Poetry'],
      ['uv.lock', 'uv'],
      ['Pipfile', 'Pipenv'],
      ['pyproject.toml', 'pip'],
      ['requirements.txt', 'pip'],
    ],
  },
  {
    name: 'JavaScript',
    extensions: ['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'],
    manifests: ['package.json'],
    version: /"node"\s*:\s*"([^"]+)"/,
    buildTools: [
      ['pnpm-lock.yaml', 'pnpm'],
      ['yarn.lock', 'Yarn'],
      ['bun.lockb', 'Bun'],
      ['package.json', 'npm'],
    ],
  },
  {
    name: 'Go',
    extensions: ['.go'],
    manifests: ['go.mod'],
    version: /^go\s+([\d.]+)/m,
    buildTools: [['go.mod', 'go']],
  },
  {
    name: 'Java',
    extensions: ['.java'],
    manifests: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
    version: /(?:<maven\.compiler\.(?:release|source)>|<java\.version>|sourceCompatibility\s*=\s*['"]?)([\d.]+)/,
    buildTools: [
      ['pom.xml', 'Maven'],
      ['build.gradle', 'Gradle'],
      ['build.gradle.kts', 'Gradle'],
    ],
  },
  {
    name: 'Rust',
    extensions: ['.rs'],
    manifests: ['Cargo.toml'],
    version: /rust-version\s*=\s*"([^"]+)"/,
    buildTools: [['Cargo.toml', 'Cargo']],
  },
  {
    name: 'C++',
    extensions: ['.cpp', '.cc', '.cxx', '.hpp', '.hh'],
    manifests: ['CMakeLists.txt', 'meson.build'],
    version: /CMAKE_CXX_STANDARD\s+(\d+)/,
    buildTools: [
      ['CMakeLists.txt', 'CMake'],
      ['meson.build', 'Meson'],
      ['Makefile', 'make'],
    ],
  },
  { name: 'C', extensions: ['.c'], manifests: ['Makefile'], version: null, buildTools: [['Makefile', 'make']] },
  { name: 'C#', extensions: ['.cs'], manifests: [], version: null, buildTools: [] },
  {
    name: 'Ruby',
    extensions: ['.rb'],
    manifests: ['Gemfile'],
    version: /^ruby\s+["']([^"']+)/m,
    buildTools: [['Gemfile', 'Bundler']],
  },
  {
    name: 'PHP',
    extensions: ['.php'],
    manifests: ['composer.json'],
    version: /"php"\s*:\s*"([^"]+)"/,
    buildTools: [['composer.json', 'Composer']],
  },
]

/** Word of a manifest to framework, first fit, by language. */
export const FRAMEWORK_WORDS: Readonly<Record<string, readonly (readonly [word: string, name: string])[]>> = {
  Python: [
    ['fastapi', 'FastAPI'],
    ['django', 'Django'],
    ['flask', 'Flask'],
  ],
  JavaScript: [
    ['next', 'Next.js'],
    ['react', 'React'],
    ['vue', 'Vue'],
    ['@angular/core', 'Angular'],
    ['@nestjs/core', 'NestJS'],
    ['fastify', 'Fastify'],
    ['express', 'Express'],
  ],
  Go: [
    ['github.com/gin-gonic/gin', 'Gin'],
    ['github.com/labstack/echo/v4', 'Echo'],
  ],
  Java: [
    ['spring-boot-starter-parent', 'Spring Boot'],
    ['org.springframework.boot', 'Spring Boot'],
    ['spring-core', 'Spring'],
  ],
  Rust: [
    ['axum', 'Axum'],
    ['actix-web', 'Actix'],
  ],
}

export const TEST_WORDS: Readonly<Record<string, readonly string[]>> = {
  Python: ['pytest', 'unittest'],
  JavaScript: ['vitest', 'jest', 'mocha', 'node --test'],
  Java: ['junit-jupiter', 'junit', 'testng'],
  'C++': ['gtest', 'Catch2'],
}

export const STYLE_FILES: readonly (readonly [file: string, style: string])[] = [
  ['.prettierrc', 'Prettier'],
  ['.oxfmtrc.json', 'oxfmt'],
  ['biome.json', 'Biome'],
  ['ruff.toml', 'Ruff'],
  ['rustfmt.toml', 'rustfmt'],
  ['.clang-format', 'clang-format'],
  ['.editorconfig', 'EditorConfig'],
]
