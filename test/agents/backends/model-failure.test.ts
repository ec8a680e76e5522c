import { APICallError } from 'ai'
import { describe, expect, it } from 'vitest'
import { modelFailure } from '../../../src/agents/backends/model-failure.js'
import { Failure } from '../../../src/contracts/failures.js'

const link = { name: 'openai/m', key: 'sk-planted' }

function caused(message: string, code: string): Error {
  return new TypeError(message, { cause: Object.assign(new Error('inner'), { code }) })
}

describe('an error of a call', () => {
  it.each([
    ['a server that was silent for minutes', caused('fetch failed', 'UND_ERR_HEADERS_TIMEOUT')],
    ['a stream that stood still for minutes', caused('terminated', 'UND_ERR_BODY_TIMEOUT')],
    ['a connection reset', Object.assign(new Error('read'), { code: 'ECONNRESET' })],
    ['an error of the SDK over what it was sent', new TypeError('x is not iterable')],
    ['no words at all', 'strange'],
  ])('%s is for another time', (_what, error) => {
    expect(modelFailure(error, link)).toMatchObject({ type: 'Agent.Unavailable' })
  })

  it('is a failure of ours wherever it lies in the chain of causes', () => {
    const own = new Failure('Agent.InvalidAnswer', 'too long')
    const wrapped = new Error('outer', { cause: new Error('middle', { cause: own }) })
    expect(modelFailure(wrapped, link)).toBe(own)
  })

  it('is one short line without the key, without what was asked, and without a cause', () => {
    const error = new APICallError({
      message: `bad\n\u0007key sk-planted ${'x'.repeat(1000)}`,
      url: 'http://sk-planted@server',
      requestBodyValues: { prompt: 'secret prompt' },
      statusCode: 401,
    })
    const failure = modelFailure(error, link)
    expect(failure.message).toMatch(/^openai\/m \(HTTP 401\): bad key \[key\] x+$/)
    expect(failure.message.length).toBeLessThan(530)
    expect(failure.cause).toBeUndefined()
    expect(failure.details).toEqual({})
  })
})
