import type { Connection } from '@temporalio/client'
import { Failure } from '../contracts/failures.js'

/** The search attributes every workflow sets. Setting one that the namespace does not know hangs the run, so they come first. */
export const attributeNames = {
  GauntletPipeline: 'Keyword',
  GauntletStatus: 'Keyword',
  GauntletWaiting: 'Bool',
  GauntletKey: 'Keyword',
} as const

/** Temporal's wire numbers (temporal.api.enums.v1.IndexedValueType). */
const wireTypes = { Keyword: 2, Bool: 5 } as const

type Operator = { operatorService: Connection['operatorService'] }

/**
 * Sees to it that the namespace knows our search attributes: registers the missing ones where it may. Throws
 * `Failure('Tool.Missing')` with the command for an operator where it may not, or where one has another type.
 */
export async function ensureSearchAttributes(connection: Operator, namespace: string): Promise<void> {
  const { operatorService } = connection
  const known = (await listed(operatorService, namespace)) ?? {}
  const names = Object.keys(attributeNames) as (keyof typeof attributeNames)[]
  const wrong = names.find((name) => name in known && Number(known[name]) !== wireTypes[attributeNames[name]])
  if (wrong !== undefined) {
    throw new Failure(
      'Tool.Missing',
      `search attribute ${wrong} of ${namespace} is not of type ${attributeNames[wrong]}`,
    )
  }
  const missing = names.filter((name) => !(name in known))
  if (missing.length === 0) return
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, wireTypes[attributeNames[name]]]))
  try {
    await operatorService.addSearchAttributes({ namespace, searchAttributes })
  } catch (error) {
    throw new Failure('Tool.Missing', howToRegister(namespace, missing), { cause: error })
  }
}

/** Name and wire type of the custom attributes, or null where this caller may not ask. */
async function listed(operatorService: Connection['operatorService'], namespace: string) {
  try {
    return (await operatorService.listSearchAttributes({ namespace })).customAttributes
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

/** gRPC's PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && [7, 12, 16].includes(Number(error.code))
}

function howToRegister(namespace: string, missing: readonly (keyof typeof attributeNames)[]): string {
  const flags = missing.map((name) => `--name ${name} --type ${attributeNames[name]}`).join(' ')
  return `search attributes are missing and may not be registered from here; run: temporal operator search-attribute create --namespace ${namespace} ${flags}`
}
