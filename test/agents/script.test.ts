import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { closeAgents } from '../../src/agents/close-agents.js'
import { aDoor, asking, scriptAgent } from '../support/agent-door.js'

const answer = (words: string) => ({ n: 1, words })

async function askScript(answers: readonly unknown[], order: Parameters<typeof asking>[1] = {}) {
  const door = aDoor()
  await scriptAgent(door, answers)
  return await asking(door, { agent: 'script', ...order })
}

describe('a script', () => {
  it('answers with the entry that names most of the question, wherever it stands', async () => {
    const entries = [
      { role: 'planner', answer: answer('anything') },
      { role: 'planner', task_id: 'TASK-001', round: 2, answer: answer('second round') },
      { role: 'planner', task_id: 'TASK-001', answer: answer('the task') },
      { role: 'planner', step: 'TASK-001-develop', round: 2, attempt: 3, answer: answer('third try') },
    ]
    for (const [order, words] of [
      [{ task_id: 'TASK-002' }, 'anything'],
      [{ round: 1 }, 'the task'],
      [{ round: 2 }, 'second round'],
      [{ round: 2, attempt: 3 }, 'third try'],
    ] as const) {
      expect(await askScript(entries, order)).toMatchObject({ extract: { words } })
      expect(await askScript([...entries].reverse(), order)).toMatchObject({ extract: { words } })
    }
  })

  it('that nobody wrote an answer for fails in one line that names the question', async () => {
    await expect(askScript([{ role: 'coder', answer: answer('x') }], { round: 3 })).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: 'the script has no answer for role planner, task TASK-001, step TASK-001-develop, round 3, attempt 1',
    })
  })

  it('with two answers that name equally much is a mistake, not a matter of order', async () => {
    const entries = [
      { role: 'planner', round: 1, answer: answer('x') },
      { role: 'planner', attempt: 1, answer: answer('y') },
    ]
    await expect(askScript(entries)).rejects.toMatchObject({
      message: expect.stringContaining('answers 1 and 2 are both for role planner') as unknown,
    })
  })

  it('may fail, be slow, speak in words and say what it used', async () => {
    const entries = [
      {
        role: 'planner',
        attempt: 1,
        fail: 'Agent.Unavailable',
        message: 'come again',
        delay_ms: 20,
        usage: { input_tokens: 3 },
      },
      { role: 'planner', attempt: 2, text: 'Sure: {"n": 2, "words": "w"}', usage: { cost: 0.5, output_tokens: null } },
    ]
    await expect(askScript(entries)).rejects.toMatchObject({
      type: 'Agent.Unavailable',
      message: 'come again',
      details: { usage: { input_tokens: 3, output_tokens: 0, cost: 0 } },
    })
    const reply = await askScript(entries, { attempt: 2 })
    expect(reply).toMatchObject({ extract: { n: 2 }, usage: { cost: 0.5, input_tokens: 0, output_tokens: null } })
  })

  it.each([
    [{ role: 'planner' }, 'expected one of answer, text and fail'],
    [{ role: 'planner', text: 'x', fail: 'Tool.Failed' }, 'expected one of answer, text and fail'],
    [{ role: 'cook', answer: 1 }, 'answers.0.role'],
    [{ role: 'planner', answer: 1, edits: [{ path: '../x', content: '' }] }, 'answers.0.edits.0.path'],
  ])('that is malformed says where: %j', async (entry, words) => {
    await expect(askScript([entry])).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringContaining(words) as unknown,
    })
  })

  it('that was changed since the run named it is refused', async () => {
    const door = aDoor()
    await scriptAgent(door, [{ role: 'planner', answer: answer('x') }])
    const other = aDoor({ home: door.home })
    writeFileSync(`${other.home}/script.json`, JSON.stringify({ answers: [] }))
    await expect(asking(other, { agent: 'script' })).rejects.toMatchObject({
      message: 'script: its file was changed since it was named',
    })
  })

  it('names at the end what nobody asked for, of this run alone', async () => {
    const door = aDoor()
    await scriptAgent(door, [
      { role: 'planner', answer: answer('x') },
      { role: 'coder', task_id: 'TASK-007', round: 2, answer: answer('y') },
    ])
    await asking(door, { agent: 'script' })
    await asking(door, { agent: 'script', run_id: 'r2' })
    expect(await closeAgents(door, { run_id: 'r1', agents: ['builtin', 'script'] })).toEqual({
      leftovers: ['script: nobody asked for answer 2 (role coder, task TASK-007, round 2)'],
    })
    expect((await closeAgents(door, { run_id: 'r3', agents: ['script'] })).leftovers).toHaveLength(2)
  })
})
