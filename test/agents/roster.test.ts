import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ROSTER } from '../../src/agents/roster.js'
import { ROLES } from '../../src/rules/roles.js'

const files = readdirSync(fileURLToPath(new URL('../../src/agents/roles', import.meta.url)))

describe('the roster', () => {
  it('has every role, and each has a file that is named after it', () => {
    expect(Object.keys(ROSTER).sort()).toEqual([...ROLES].sort())
    expect(files.sort()).toEqual(ROLES.map((name) => `${name}.ts`).sort())
  })

  it.each(ROLES)('%s goes by its own name, and can tell an agent what it must answer', (name) => {
    const role = ROSTER[name]
    expect(role.name).toBe(name)
    const schema = z.toJSONSchema(role.answer, { io: 'input', unrepresentable: 'any' })
    expect(['object', 'array']).toContain(schema.type)
    expect(JSON.stringify(schema).length).toBeLessThan(64 * 1024)
  })
})
