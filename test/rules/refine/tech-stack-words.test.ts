import { expect, it } from 'vitest'
import { techStackFromWords } from '../../../src/rules/refine/tech-stack-words.js'

it.each<[string, object | null]>([
  ['Python', { language: 'Python', language_version: null, framework: null, constraints: [] }],
  [
    'Python 3.12, FastAPI v0.115, async/await, Pydantic v2',
    {
      language: 'Python',
      language_version: '3.12',
      framework: 'FastAPI',
      framework_version: '0.115',
      constraints: ['async/await', 'Pydantic v2'],
    },
  ],
  ['C++ 20', { language: 'C++', language_version: '20' }],
  ['  Go ,, Gin ', { language: 'Go', framework: 'Gin' }],
  [
    'Java 21，Spring Boot 3',
    { language: 'Java', language_version: '21', framework: 'Spring Boot', framework_version: '3' },
  ],
  ['', null],
  [' , ', null],
])('%j', (line, stack) => {
  if (stack === null) expect(techStackFromWords(line)).toBeNull()
  else expect(techStackFromWords(line)).toMatchObject(stack)
})
