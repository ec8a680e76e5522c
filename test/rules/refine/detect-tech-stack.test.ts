import { describe, expect, it } from 'vitest'
import { topicsOf } from '../../../src/rules/aggregate-hints.js'
import { detectTechStack, manifestsAmong } from '../../../src/rules/refine/detect-tech-stack.js'

const look = (files: Record<string, string>) => {
  const paths = Object.keys(files)
  return detectTechStack({ paths, manifests: new Map(manifestsAmong(paths).map((path) => [path, files[path] ?? ''])) })
}

describe('the tech stack of a repository', () => {
  it('of Python: language, framework, versions, tools and constraints', () => {
    expect(
      look({
        'pyproject.toml':
          '[project]\nrequires-python = ">=3.12"\ndependencies = ["fastapi>=0.115", "pydantic>=2"]\n[project.optional-dependencies]\ntest = ["pytest", "mypy"]\n',
        'uv.lock': '',
        'ruff.toml': '',
        'app/main.py': '',
        'app/db.py': '',
      }),
    ).toEqual({
      language: 'Python',
      language_version: '>=3.12',
      framework: 'FastAPI',
      framework_version: '0.115',
      build_tool: 'uv',
      test_framework: 'pytest',
      code_style: 'Ruff',
      constraints: ['Pydantic', 'strict types', 'async/await'],
      project_type: 'single',
    })
  })

  it.each<[what: string, files: Record<string, string>, parts: object]>([
    [
      'TypeScript by its files, JavaScript by its manifest',
      {
        'package.json':
          '{"engines":{"node":">=20"},"dependencies":{"react":"^19.1.0"},"devDependencies":{"vitest":"4"}}',
        'a.ts': '',
        'b.tsx': '',
        'c.js': '',
      },
      {
        language: 'TypeScript',
        language_version: '>=20',
        framework: 'React',
        framework_version: '19.1.0',
        test_framework: 'vitest',
        build_tool: 'npm',
      },
    ],
    [
      'JavaScript modules',
      { 'package.json': '{"type": "module"}', 'a.js': '' },
      { language: 'JavaScript', constraints: ['ES modules'], framework: null },
    ],
    [
      'no framework by a mere part of a word',
      { 'package.json': '{"dependencies":{"react-native-x":"1","@x/react":"1"}}', 'a.js': '' },
      { framework: null },
    ],
    [
      'Go',
      { 'go.mod': 'module x\ngo 1.24\nrequire github.com/gin-gonic/gin v1.10.0\n', 'main.go': '' },
      { language: 'Go', language_version: '1.24', framework: 'Gin', framework_version: '1.10.0' },
    ],
    [
      'Java',
      {
        'pom.xml': '<java.version>21</java.version><artifactId>spring-boot-starter-parent</artifactId>',
        'src/A.java': '',
      },
      { language: 'Java', language_version: '21', framework: 'Spring Boot', build_tool: 'Maven' },
    ],
    [
      'Rust',
      { 'Cargo.toml': 'rust-version = "1.85"\n[dependencies]\naxum = "0.8"\n', 'src/main.rs': '' },
      { language: 'Rust', framework: 'Axum', framework_version: '0.8' },
    ],
    [
      'C++',
      { 'CMakeLists.txt': 'set(CMAKE_CXX_STANDARD 20)', 'a.cpp': '', 'a.hpp': '' },
      { language: 'C++', language_version: '20', build_tool: 'CMake' },
    ],
    ['sources alone', { 'a.py': '' }, { language: 'Python', build_tool: null }],
    ['a manifest alone', { 'go.mod': 'go 1.23\n' }, { language: 'Go' }],
    [
      'the language most files are in',
      { 'a.py': '', 'b.py': '', 'c.go': '' },
      { language: 'Python', project_type: 'multi-language' },
    ],
    [
      "not that of other people's code",
      { 'node_modules/x/a.js': '', 'vendor/y.go': '', 'a.rb': '' },
      { language: 'Ruby', project_type: 'single' },
    ],
    ['workspaces', { 'package.json': '{}', 'pnpm-workspace.yaml': '', 'a.js': '' }, { project_type: 'monorepo' }],
  ])('of %s', (_, files, parts) => {
    expect(look(files)).toMatchObject(parts)
  })

  it('that shows nothing is null: a person has to say it', () => {
    expect(look({ 'README.md': '', LICENSE: '' })).toBeNull()
    expect(look({})).toBeNull()
  })

  it('reads the manifests nearest to the root, a bounded number', () => {
    const paths = Array.from({ length: 40 }, (_, at) => `packages/p${at}/package.json`)
    expect(manifestsAmong([...paths, 'package.json', 'node_modules/a/package.json'], 3)).toEqual([
      'package.json',
      'packages/p0/package.json',
      'packages/p1/package.json',
    ])
  })

  it('is spelled as the hints of the aggregator know it', () => {
    expect(topicsOf('BLOCKING_CALL')).toEqual(['blocking_call'])
    expect(look({ 'requirements.txt': 'fastapi', 'a.py': '' })?.constraints).toContain('async/await')
  })
})
