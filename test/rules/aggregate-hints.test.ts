import { describe, expect, it } from 'vitest'
import type { TechStack } from '../../src/contracts/aggregate.js'
import { stackAdvisor, topicsOf } from '../../src/rules/aggregate-hints.js'
import { TOPICS } from '../../src/rules/tech-stack-topics.js'
import { TECH_STACKS } from '../../src/rules/tech-stacks.js'

const stacksOf = (stack: TechStack, type: string) => stackAdvisor(stack, 'en')(type).hints.map((hint) => hint.stack)

describe('a type of issue is about a topic however it is written', () => {
  it.each([
    ['SQL_INJECTION', ['sql_injection']],
    ['sql-injection', ['sql_injection']],
    ['SqlInjection', ['sql_injection']],
    ['SQLInjection', ['sql_injection']],
    ['SQL注入', ['sql_injection']],
    ['SQL 注入', ['sql_injection']],
    ['N+1_QUERY', ['n_plus_one']],
    ['NPlusOne', ['n_plus_one']],
    ['WEAK_HASH_MD5', ['crypto']],
    ['HARDCODED_SECRET', ['secrets']],
    ['BLOCKING_IO', ['blocking_call']],
    ['TRACE_TOO_LONG', []],
    ['', []],
  ])('%s: %j', (type, topics) => {
    expect(topicsOf(type)).toEqual(topics)
  })
})

describe('a stack is known by the names people give it', () => {
  it.each<[TechStack, string, string[]]>([
    [{ language: 'Python 3.12' }, 'SQL_INJECTION', ['Python']],
    [{ language: 'TypeScript 5' }, 'SQL_INJECTION', ['TypeScript/Node']],
    [{ language: 'JavaScript' }, 'SQL_INJECTION', ['TypeScript/Node']],
    [{ language: 'Node.js' }, 'PATH_TRAVERSAL', ['TypeScript/Node']],
    [{ language: 'Go 1.23' }, 'SQL_INJECTION', ['Go']],
    [{ language: 'golang' }, 'DATA_RACE', ['Go']],
    [{ language: 'Java 21' }, 'SQL_INJECTION', ['Java']],
    [{ language: 'Rust' }, 'ERROR_HANDLING', ['Rust']],
    [{ language: 'C++20' }, 'BUFFER_OVERFLOW', ['C++']],
    [{ language: 'C' }, 'BUFFER_OVERFLOW', []],
    [{ language: 'Python', framework: 'Django' }, 'SQL_INJECTION', ['Python']],
    [{ language: 'TypeScript', framework: 'React 19' }, 'XSS', ['React', 'TypeScript/Node']],
    [{ language: 'Java', framework: 'Spring Boot 3' }, 'N+1_QUERY', ['Spring']],
    [{ language: 'Kotlin', framework: 'Spring' }, 'SQL_INJECTION', ['Spring']],
    [
      { language: 'Python', framework: 'FastAPI', constraints: ['async/await', 'Pydantic v2'] },
      'BLOCKING_CALL',
      ['FastAPI', 'async/await'],
    ],
    [{ language: 'Python', constraints: ['Pydantic v2'] }, 'INPUT_VALIDATION', ['Pydantic']],
    [{ language: 'Go, TypeScript' }, 'SQL_INJECTION', ['TypeScript/Node', 'Go']],
    [{ language: 'Python', framework: null, constraints: null }, 'NAMING', []],
  ])('%j on %s: %j', (stack, type, names) => {
    expect(stacksOf(stack, type)).toEqual(names)
  })

  it('moves up what is worse in that stack than elsewhere', () => {
    const shift = (stack: TechStack) => stackAdvisor(stack, 'en')('BUFFER_OVERFLOW').shift
    expect(shift({ language: 'C++' })).toBeGreaterThan(shift({ language: 'Rust' }))
    expect(shift({ language: 'Python' })).toBe(0)
  })

  it('gives three hints at most', () => {
    const stack = { language: 'Python, TypeScript, Go, Java, Rust, C++', framework: 'FastAPI' }
    expect(stacksOf(stack, 'SQL_INJECTION')).toHaveLength(3)
  })
})

describe('the table', () => {
  it.each(['Python', 'TypeScript/Node', 'Go', 'Java', 'Rust', 'C++', 'React', 'FastAPI', 'Spring'])(
    'has %s',
    (name) => {
      expect(TECH_STACKS.map((row) => row.name)).toContain(name)
    },
  )

  it.each(TECH_STACKS.map((row) => [row.name, row] as const))(
    '%s is found by each alias and says something',
    (name, row) => {
      const [topic = ''] = Object.keys(row.hints)
      const [type = ''] = Object.hasOwn(TOPICS, topic) ? TOPICS[topic as keyof typeof TOPICS] : []
      for (const alias of row.aliases) {
        const stack = { language: row.kind === 'language' ? alias : '-', framework: alias, constraints: [alias] }
        expect(stacksOf(stack, type)).toContain(name)
      }
    },
  )

  it('speaks English and Chinese in every cell', () => {
    for (const { hints } of TECH_STACKS) {
      for (const { en, zh, shift = 0 } of Object.values(hints)) {
        expect(en).not.toMatch(/\p{Script=Han}/u)
        expect(zh).toMatch(/\p{Script=Han}/u)
        expect(shift).toBeGreaterThanOrEqual(0)
      }
    }
  })

  it('writes its words as types are read, so that each can be found', () => {
    for (const [topic, phrases] of Object.entries(TOPICS)) {
      for (const phrase of phrases) expect(topicsOf(phrase)).toContain(topic)
    }
  })
})
