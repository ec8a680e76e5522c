import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { Failure } from '../../contracts/failures.js'
import type { ReviewReport } from '../../contracts/review-report.js'
import { formatArray } from '../../rules/review/format-array.js'

/** A person's own form of the result. */
export interface OwnForm {
  /** The report in that form. Throws `Failure('Contract.Violated')` with the reason when none of ours fits it. */
  fit(report: ReviewReport): unknown
}

/**
 * Takes a JSON Schema (draft-07) of a person's own. The result is the first of our forms that fits it: detailed, `{task_id, issues, summary}`, the
 * findings, the simple array; fields that it allows nowhere are left out, and a number may become text where it asks for that.
 * Throws `Failure('Contract.Violated')` when it is no schema, or refers to one elsewhere: nothing is fetched.
 */
export function ownForm(schema: unknown): OwnForm {
  const validate = compile(schema)
  return {
    fit: (report) => {
      const complaints: string[] = []
      for (const [name, form] of FORMS) {
        const candidate: unknown = structuredClone(form(report))
        if (validate(candidate)) return candidate
        complaints.push(`${name}: ${complaintOf(validate.errors?.[0])}`)
      }
      throw new Failure('Contract.Violated', `no form of the result fits the schema: ${complaints.join('; ')}`)
    },
  }
}

const FORMS: readonly (readonly [name: string, form: (report: ReviewReport) => unknown])[] = [
  ['detailed', (report) => report],
  ['result', ({ task_id, review_results: { issues, summary } }) => ({ task_id, issues, summary })],
  ['findings', ({ review_results }) => review_results.issues],
  ['array', formatArray],
]

function compile(schema: unknown): ValidateFunction {
  const isSchema =
    typeof schema === 'boolean' || (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
  if (!isSchema) throw refusal('expected a JSON Schema, an object')
  const ajv = new Ajv({ strict: false, removeAdditional: true, coerceTypes: true, validateFormats: true })
  addFormats.default(ajv)
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof Error) throw refusal(error.message.split('\n')[0] ?? '')
    throw error
  }
}

function refusal(why: string): Failure {
  return new Failure('Contract.Violated', `schema of the result: ${why}`)
}

function complaintOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'does not fit'
  const extra = 'additionalProperty' in error.params ? ` (${String(error.params['additionalProperty'])})` : ''
  return `${error.instancePath || '(document)'} ${error.message ?? 'does not fit'}${extra}`
}
