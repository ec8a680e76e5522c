import { describe, expect, it } from 'vitest'
import { ownForm } from '../../../src/tools/review/fit-schema.js'
import { report } from '../../support/review-report.js'

describe("a person's own schema", () => {
  it.each<[what: string, schema: unknown, fits: unknown]>([
    ['anything', true, report()],
    [
      'an array with some of the fields, the line as text',
      {
        type: 'array',
        items: {
          type: 'object',
          properties: { relevantFile: { type: 'string' }, suggestionLine: { type: 'string' } },
          required: ['relevantFile', 'suggestionLine'],
          additionalProperties: false,
        },
      },
      [{ relevantFile: 'src/a.js', suggestionLine: '3' }],
    ],
    [
      'a document with issues',
      {
        type: 'object',
        properties: { task_id: {}, issues: { type: 'array', minItems: 1, items: { required: ['fingerprint'] } } },
        required: ['issues'],
        additionalProperties: false,
      },
      { task_id: 'task_review:1', issues: report().review_results.issues },
    ],
  ])('takes %s', (_, schema, fits) => {
    expect(ownForm(schema).fit(report())).toEqual(fits)
  })

  it('leaves the report itself as it is', () => {
    const given = report()
    ownForm({ type: 'object', properties: {}, additionalProperties: false }).fit(given)
    expect(given).toEqual(report())
  })

  it.each<[what: string, schema: unknown, words: string]>([
    ['no schema', 'x', 'expected a JSON Schema'],
    ['a keyword used wrongly', { type: 'nonsense' }, 'schema of the result'],
    ['a schema elsewhere', { $ref: 'https://example.org/x.json' }, "can't resolve reference"],
    ['a pattern that is none', { properties: { task_id: { pattern: '(' } } }, 'schema of the result'],
  ])('refuses %s', (_, schema, words) => {
    expect(() => ownForm(schema)).toThrow(words)
  })

  it('says why when nothing of ours fits', () => {
    const { fit } = ownForm({ type: 'object', required: ['score'] })
    expect(() => fit(report())).toThrow(
      /detailed: \(document\) must have required property 'score'.*array: \(document\) must be object/,
    )
  })
})
