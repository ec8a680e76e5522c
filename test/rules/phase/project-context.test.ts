import { describe, expect, it } from 'vitest'
import { ProjectContext } from '../../../src/contracts/phase-context.js'
import { projectContext } from '../../../src/rules/phase/project-context.js'
import { testFrameworkHint } from '../../../src/rules/phase/tech-stack.js'

const MANIFEST = JSON.stringify({
  type: 'module',
  scripts: { test: 'vitest run', build: 'tsc -p .', start: 'node .' },
  dependencies: { express: '^5' },
  devDependencies: { vitest: '^4', '@biomejs/biome': '^2' },
})

describe('the context of a project', () => {
  it('of Node is read from its files', () => {
    const context = projectContext({
      paths: [
        'package.json',
        'package-lock.json',
        'tsconfig.json',
        'biome.json',
        'CONTRIBUTING.md',
        '.editorconfig',
        'src/user-model.ts',
        'src/user-store.ts',
        'src/http/send-json.ts',
        'test/user-model.test.ts',
      ],
      texts: {
        'package.json': MANIFEST,
        'tsconfig.json': '{"compilerOptions": {"strict": true}}',
        '.editorconfig': '[*]\nindent_style = space\nindent_size = 2\n',
      },
    })
    expect(ProjectContext.parse(context)).toEqual({
      techStack: ['typescript', 'vitest', 'express', 'biome'],
      structure:
        'src/ (3 files)\nsrc/http/ (1 files)\ntest/ (1 files)\n.editorconfig\nCONTRIBUTING.md\nbiome.json\n' +
        'package-lock.json\npackage.json\ntsconfig.json',
      conventions: [
        '- dependencies are managed by npm',
        '- JavaScript modules are ECMAScript modules',
        '- npm scripts: build, test',
        '- TypeScript is strict',
        '- code passes Biome',
        '- indentation by 2 spaces',
        '- tests are in test/, most of them named *.test.ts',
        '- file names are in kebab-case',
        '- more is in CONTRIBUTING.md',
      ].join('\n'),
    })
  })

  it('of Python is read from its files', () => {
    const { techStack, conventions } = projectContext({
      paths: ['pyproject.toml', 'uv.lock', 'app/main.py', 'tests/test_main.py'],
      texts: {
        'pyproject.toml':
          '[project]\ndependencies = ["FastAPI>=0.1", "pydantic"]\n[tool.ruff]\n# django was here\n[dependency-groups]\ndev = ["pytest-cov"]',
      },
    })
    expect(techStack).toEqual(['python', 'pytest', 'fastapi', 'pydantic', 'ruff'])
    expect(conventions).toBe('- dependencies are managed by uv\n- tests are in tests/, most of them named *.py')
  })

  it('knows node:test by the script that runs it', () => {
    const manifest = (test: string) => ({
      paths: ['a.js'],
      texts: { 'package.json': JSON.stringify({ scripts: { test } }) },
    })
    expect(projectContext(manifest('node --import tsx --test test/')).techStack).toContain('node:test')
    expect(projectContext(manifest('node test.js')).techStack).not.toContain('node:test')
  })

  it('of an empty or broken project says nothing that is not there', () => {
    expect(projectContext({ paths: [], texts: {} })).toEqual({ techStack: [], structure: '', conventions: '' })
    expect(projectContext({ paths: ['package.json'], texts: { 'package.json': '{"scripts": ' } }).techStack).toEqual([])
    expect(projectContext({ paths: ['x.js'], texts: { 'package.json': '[]' } }).techStack).toEqual(['javascript'])
    expect(projectContext({ paths: ['x.js'], texts: { 'package.json': 'null' } }).techStack).toEqual(['javascript'])
  })

  it('stays small for a big repository', () => {
    const paths = Array.from({ length: 30_000 }, (_, index) => `f${index % 200}/g${index % 7}/h${index}.py`)
    const context = projectContext({ paths: [...paths, ...paths.map((_, index) => `top${index}`)], texts: {} })
    expect(ProjectContext.safeParse(context).success).toBe(true)
    expect(context.structure).toMatch(/\(\d+ more folders\)/)
    expect(context.structure).toContain('(29984 more files at the top)')
  })
})

describe('how a tester is told to write tests', () => {
  it.each([
    [['typescript', 'vitest', 'jest'], 'Vitest - use describe/it/expect'],
    [['jest'], 'Jest - use describe/test/expect'],
    [['python', 'pytest'], 'pytest - use functions named test_… and plain assert'],
    [['javascript', 'node:test'], 'node:test - use describe/it from node:test and node:assert/strict'],
    [['go'], 'Use existing test framework conventions'],
  ])('in a project of %j', (techStack, hint) => {
    expect(testFrameworkHint(techStack)).toBe(hint)
  })
})
