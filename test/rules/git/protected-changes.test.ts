import { expect, it } from 'vitest'
import type { FileChange } from '../../../src/contracts/git.js'
import { protectedChanges } from '../../../src/rules/git/protected-changes.js'

const change = (action: FileChange['action'], path: string, old_path?: string): FileChange => ({
  action,
  path,
  ...(old_path === undefined ? {} : { old_path }),
  lines_added: 1,
  lines_deleted: 0,
})

const tests = ['test/add.test.ts', 'e2e/']

it.each([
  change('modify', 'test/add.test.ts'),
  change('delete', 'test/add.test.ts'),
  change('rename', 'test/other.test.ts', 'test/add.test.ts'),
  change('rename', 'test/add.test.ts', 'elsewhere.ts'),
  change('create', 'e2e/new.ts'),
  change('create', 'test'),
])('the tester’s files are touched by $action of $path', (each) => {
  expect(protectedChanges([change('create', 'src/add.ts'), each], tests)).toEqual([each])
})

it.each([
  change('create', 'src/add.ts'),
  change('modify', 'test/add.test.tsx'),
  change('create', 'test/other.test.ts'),
  change('create', 'e2e.ts'),
  change('rename', 'b', 'a'),
])('and not by $action of $path', (each) => {
  expect(protectedChanges([each], tests)).toEqual([])
})
