import { describe, expect, it } from 'vitest'
import { describeError, Interrupted, mistake } from '../../src/cli/cli-error.js'
import { Failure } from '../../src/contracts/failures.js'

describe('describeError', () => {
  it.each([
    ['a mistake', mistake('RUN', 'a run', 'nothing'), 2, 'RUN: expected a run, got nothing'],
    ['an incomplete case', new Failure('Case.Incomplete', 'error.txt: gone'), 2, 'error.txt: gone'],
    ['a missing tool', new Failure('Tool.Missing', 'no firtool'), 3, 'no firtool'],
    ['Ctrl-C', new Interrupted('follow it so'), 130, 'follow it so'],
  ])('%s', (_, error, exit, message) => {
    expect(describeError(error)).toMatchObject({ exit, message })
  })

  it.each(['ENOSPC', 'EDQUOT', 'EROFS'])('%s is the person’s disk, not our bug', (code) => {
    const { exit, message } = describeError(Object.assign(new Error('write failed'), { code }))
    expect({ exit, message }).toEqual({
      exit: 2,
      message: expect.stringMatching(new RegExp(`^disk: expected .*${code}`)),
    })
  })

  it('calls what it does not know a bug of ours, in one line without a stack', () => {
    const { exit, type, message } = describeError(new TypeError('x is\nnot a function'))
    expect({ exit, type }).toEqual({ exit: 3, type: 'Error' })
    expect(message).toBe('unexpected: x is not a function; GAUNTLET_DEBUG=1 says more')
  })

  it('keeps a message of strangers to one line that cannot steer a terminal', () => {
    expect(describeError(new Failure('Tool.Failed', 'a\u001b[2J\nb')).message).toBe('a [2J b')
  })
})
