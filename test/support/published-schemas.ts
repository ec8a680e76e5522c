import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { rdformatSchema } from '@umbrelladocs/rdformat-validator'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

const ajv = new Ajv({ strict: false, unicodeRegExp: false, allErrors: true })
addFormats.default(ajv)

/** What their publishers say of SARIF 2.1.0 and rdjson; complaints are in `errors`. */
export const isSarif = ajv.compile(sarifSchema())
export const isRdjson = ajv.compile(rdformatSchema)

function sarifSchema() {
  const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  // Draft 4, whose one difference here is the name of the identifier.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  return schema
}
