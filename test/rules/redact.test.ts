import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, redactValue, secretsOf } from '../../src/rules/redact.js'

describe('secrets of an environment', () => {
  it.each([
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'DB_PASSWORD',
    'CLIENT_SECRET',
    'NPM_AUTH',
    'apiKey',
    'AWS_SECRET_ACCESS_KEY',
    'OPENAI_KEY',
    'GH_PAT',
    'GOOGLE_CREDENTIALS',
    'TEMPORAL_API_KEY',
    'MYAPIKEY',
    'npm_config_authToken',
  ])('%s is one', (name) => {
    expect(secretsOf({ [name]: 'planted value' }, [])).toEqual([{ name, value: 'planted value' }])
  })

  it.each([
    'PATH',
    'HOME',
    'PWD',
    'OLDPWD',
    'LANG',
    'EDITOR',
    'KEYBOARD',
    'MONKEY_BUSINESS',
    'SSH_AUTH_SOCK',
    'XDG_SESSION_TYPE',
  ])('%s is none', (name) => {
    expect(secretsOf({ [name]: '/some/plain/value' }, [])).toEqual([])
  })

  it('are also what an agent is handed, but not what everybody may know', () => {
    const env = { HOUSE: 'planted value', HOME: '/home/ann', OTHER: 'plain value' }
    expect(secretsOf(env, ['HOUSE', 'HOME'])).toEqual([{ name: 'HOUSE', value: 'planted value' }])
  })

  it('are passwords within addresses', () => {
    const env = { DATABASE_URL: 'postgres://ann:pa55word@db.example/x', HTTPS_PROXY: 'http://proxy:8080' }
    expect(secretsOf(env, [])).toEqual([{ name: 'DATABASE_URL', value: 'pa55word' }])
  })

  it('have at least six characters: shorter ones are words', () => {
    expect(secretsOf({ A_KEY: '1234a', B_KEY: '12345a', C_KEY: '' }, []).map(({ name }) => name)).toEqual(['B_KEY'])
  })
})

describe('a value that is a word or a number', () => {
  const env = { DB_PASSWORD: 'postgres', PIN_KEY: '123456789', LONG_KEY: 'correcthorse', MIXED_KEY: 'p0stgres' }

  it('is no secret because of the name it has', () => {
    expect(secretsOf(env, []).map(({ name }) => name)).toEqual(['LONG_KEY', 'MIXED_KEY'])
  })

  it('is one when an agent is given it', () => {
    expect(secretsOf(env, ['DB_PASSWORD']).map(({ name }) => name)).toEqual(['DB_PASSWORD', 'LONG_KEY', 'MIXED_KEY'])
  })
})

describe('a redactor', () => {
  const redact = createRedactor([
    { name: 'A', value: 'p+l/a?n"t\\ed' },
    { name: 'B', value: 'planted' },
    { name: 'C', value: 'planted-longer' },
  ])

  it.each([
    ['as it is', 'x p+l/a?n"t\\ed y', 'x [secret A] y'],
    ['within JSON', JSON.stringify({ k: 'p+l/a?n"t\\ed' }), '{"k":"[secret A]"}'],
    ['within an address', `?q=${encodeURIComponent('p+l/a?n"t\\ed')}`, '?q=[secret A]'],
    ['as base64', Buffer.from('p+l/a?n"t\\ed').toString('base64'), '[secret A]'],
    ['as the longer of two that begin alike', 'planted-longer, planted', '[secret C], [secret B]'],
  ])('takes a secret out %s', (_, text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  it('takes out the lines of a key of many lines', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
    const key = createRedactor([{ name: 'K', value: `-----BEGIN KEY-----\n${line}\n-----END KEY-----\n` }])
    expect(key(`the middle: ${line}`)).toBe('the middle: [secret K]')
  })

  it('leaves no secret in any text, and other text alone', () => {
    const secret = fc
      .string({ minLength: 6, maxLength: 40 })
      .filter((text) => text.trim().length >= 6 && !'[secret S]'.includes(text.trim()))
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
        const clean = createRedactor([{ name: 'S', value }])
        expect(clean(`${before}${value}${after}`)).not.toContain(value)
        fc.pre(!before.includes(value.trim()))
        expect(createRedactor([])(before)).toBe(before)
      }),
    )
  })

  it('walks through values, keys included', () => {
    const value = { planted: ['planted', { deep: 'a planted b' }], n: 1, none: null }
    expect(redactValue(value, redact)).toEqual({
      '[secret B]': ['[secret B]', { deep: 'a [secret B] b' }],
      n: 1,
      none: null,
    })
  })
})
