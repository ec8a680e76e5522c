import { expect, it } from 'vitest'
import { readRequirements } from '../../src/rules/python-requirements.js'

it.each([
  ['requests', ['requests']],
  ['requests>=2,<3', ['requests>=2,<3']],
  ['requests[socks, use_chardet]==2.0', ['requests[socks, use_chardet]==2.0']],
  ["typing-extensions ; python_version < '3.11'", ["typing-extensions ; python_version < '3.11'"]],
  ['a==1 \\\n  --hash=sha256:00\n', ['a==1    --hash=sha256:00']],
  ['# nothing\n\n  b  # why\r\nc~=1', ['b', 'c~=1']],
])('the packages of %j are taken', (text, requirements) => {
  expect(readRequirements(text)).toMatchObject({ requirements, left: [] })
})

it('other files are named, in every form', () => {
  expect(readRequirements('-r a.txt\n--requirement=b.txt\n-rc.txt\n-c d.txt\n--constraint e.txt')).toEqual({
    requirements: [],
    files: ['a.txt', 'b.txt', 'c.txt'],
    constraints: ['d.txt', 'e.txt'],
    left: [],
  })
})

it.each([
  '-e .',
  '.',
  './vendor/x',
  '../x',
  '/abs/x.whl',
  '--index-url https://example.org',
  '-i https://example.org',
  '--find-links x',
  'https://example.org/x.whl',
  'git+https://example.org/x',
  'x @ https://example.org/x.whl',
  '--install-option=--x',
])('%s is left out', (line) => {
  expect(readRequirements(line)).toEqual({ requirements: [], files: [], constraints: [], left: [line] })
})
