import { describe, expect, it } from 'vitest'
import { openTranscript } from '../../src/agents/transcript.js'

const plain = (text: string) => text
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('a transcript', () => {
  it('is JSON lines, in order, each with its time', () => {
    const transcript = openTranscript(plain)
    transcript.record({ kind: 'request', prompt: 'p\nq' })
    transcript.record({ kind: 'answer', text: 'a' })
    expect(lines(transcript.text())).toEqual([
      { at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown, kind: 'request', prompt: 'p\nq' },
      { at: expect.any(String) as unknown, kind: 'answer', text: 'a' },
    ])
  })

  it('holds no secret, at any depth', () => {
    const transcript = openTranscript((text) => text.replaceAll('planted', '[secret]'))
    transcript.record({ kind: 'tool_call', arguments: { deep: ['a planted b'] } })
    expect(transcript.text()).not.toContain('planted')
  })

  it('cuts the middle of a long text, and says how much', () => {
    const transcript = openTranscript(plain)
    transcript.record({ kind: 'text', text: `${'a'.repeat(200_000)}${'b'.repeat(200_000)}` })
    const [{ text } = { text: '' }] = lines(transcript.text())
    expect(text).toMatch(/^a+\n\[137856 characters left out\]\nb+$/)
  })

  it('keeps its beginning and its end when there is too much, and says what is missing', () => {
    const transcript = openTranscript(plain)
    for (let count = 0; count < 100; count += 1) transcript.record({ kind: 'text', count, text: 'x'.repeat(100_000) })
    const all = lines(transcript.text())
    expect(transcript.text().length).toBeLessThan(4.3 * 1024 ** 2)
    expect(all[0]).toMatchObject({ count: 0 })
    expect(all.at(-1)).toMatchObject({ count: 99 })
    const note = all.find((line) => line['kind'] === 'note')
    expect(note?.['text']).toBe(`${100 - (all.length - 1)} lines left out here`)
  })
})
