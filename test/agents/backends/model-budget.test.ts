import { describe, expect, it } from 'vitest'
import { openMeter } from '../../../src/agents/backends/model-meter.js'
import { retryAfterMs } from '../../../src/agents/backends/retry-after.js'
import { freshFolder } from '../../tools/process/orders.js'
import { askModel, boxIn, failureOf } from './boxes.js'
import { startModelServer } from './model-server.js'

const unlimited = { tokens: null, cost: null }
const price = { input: 10, output: 100 }

describe('the meter of one question', () => {
  it('bounds nothing when nothing is', () => {
    expect(openMeter({}, unlimited).bound(1_000_000)).toBeNull()
    expect(openMeter({ max_output_tokens: 500 }, unlimited).bound(0)).toEqual({ tokens: 500, isAllowance: false })
  })

  it.each([
    // A prompt of 300 bytes counts as 100 tokens until the server has said better.
    [116, 16, true],
    [200, 100, true],
    [100 + 16_384, 16_384, true],
    [100 + 16_385, 16_384, false],
    [10_000_000, 16_384, false],
  ])('with %i tokens left grants an answer of %i', (tokens, granted, isAllowance) => {
    expect(openMeter({}, { tokens, cost: null }).bound(300)).toEqual({ tokens: granted, isAllowance })
  })

  it.each([115, 100, 0])('with %i tokens left makes no call', (tokens) => {
    expect(() => openMeter({}, { tokens, cost: null }).bound(300)).toThrow(/not enough for another call/)
  })

  it('counts money by the price, and what is left of it', () => {
    // 100 tokens in cost 0.001 $, 20 tokens out 0.002 $.
    const meter = openMeter({ price }, { tokens: null, cost: 0.01 })
    expect(meter.bound(300)).toEqual({ tokens: 90, isAllowance: true })
    meter.add({ input: 100, output: 20, promptBytes: 300, answerBytes: 60 })
    expect(meter.usage().cost).toBeCloseTo(0.003, 12)
    expect(meter.bound(300)).toEqual({ tokens: 60, isAllowance: true })
    expect(() => openMeter({ price }, { tokens: null, cost: 0.002 }).bound(300)).toThrow(/not enough/)
  })

  it('learns from the server how many bytes a token has', () => {
    const meter = openMeter({}, { tokens: 2000, cost: null })
    meter.add({ input: 500, output: 100, promptBytes: 1000, answerBytes: 0 })
    expect(meter.bound(2000)).toEqual({ tokens: 400, isAllowance: true })
  })

  it('counts bytes where the server counts nothing', () => {
    const meter = openMeter({}, unlimited)
    meter.add({ input: undefined, output: undefined, promptBytes: 300, answerBytes: 31 })
    expect(meter.usage()).toMatchObject({ input_tokens: 100, output_tokens: 11, cost: null })
  })

  it('cannot keep a limit on costs without a price, and says so before anything is spent', () => {
    expect(() => openMeter({}, { tokens: null, cost: 1 })).toThrow(/price of the model/)
    expect(openMeter({ price: { input: 0, output: 0 } }, { tokens: null, cost: 0 }).bound(300)).toBeNull()
  })
})

describe('a model with an allowance', () => {
  it('is told how long its answer may be, and makes no call that does not fit', async () => {
    const server = await startModelServer({ text: '{"good":"yes"}' })
    const ask = (tokens: number) =>
      askModel({ base_url: server.url }, { box: boxIn(freshFolder(), { allowance: { tokens, cost: null } }) })
    await ask(1000)
    const told = Number(server.asked[0]?.body['max_tokens'])
    expect(told).toBeGreaterThan(16)
    expect(told).toBeLessThan(1000)
    expect(await failureOf(ask(50))).toMatchObject({
      type: 'Budget.Exhausted',
      details: { usage: { input_tokens: 0 } },
    })
    expect(server.asked).toHaveLength(1)
  })

  it('stops its tools before the allowance is passed, and says what it used', async () => {
    const server = await startModelServer({ calls: [{ name: 'list', input: {} }], usage: { input: 900, output: 100 } })
    const box = boxIn(freshFolder(), { allowance: { tokens: 5000, cost: null } })
    const failure = await failureOf(askModel({ base_url: server.url }, { request: { abilities: 'read' }, box }))
    expect(failure).toMatchObject({ type: 'Budget.Exhausted' })
    const usage = failure.details['usage'] as { input_tokens: number; output_tokens: number }
    expect(usage.input_tokens + usage.output_tokens).toBeLessThanOrEqual(5000)
    expect(usage.input_tokens).toBe(900 * server.asked.length)
  })

  it('whose answer was cut by what was left has used up its budget; cut by its definition the parser is to judge', async () => {
    const server = await startModelServer({ text: '{"good":"ye', finish: 'length' })
    const box = () => boxIn(freshFolder(), { allowance: { tokens: 2000, cost: null } })
    expect(await failureOf(askModel({ base_url: server.url }, { box: box() }))).toMatchObject({
      type: 'Budget.Exhausted',
    })
    const cut = await askModel({ base_url: server.url, max_output_tokens: 100 }, { box: box() })
    expect(cut.answer).toEqual({ text: '{"good":"ye' })
    expect(server.asked[1]?.body['max_tokens']).toBe(100)
  })
})

describe('when to come back', () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0)

  it.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': '99999999' }, 24 * 3_600_000],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5x' }, null],
    [{}, null],
  ])('%j is %j ms', (headers, wait) => {
    expect(retryAfterMs(headers, now)).toBe(wait)
  })
})
