import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { MAX_ANSWER_BYTES } from '../../rules/answer-json.js'
import type { AgentBox } from './backend.js'

/** What an agent says in a turn, put together from its chunks. */
export interface AcpMessages {
  take(kind: 'message' | 'thought', update: unknown): void
  /** The agent did something: what it says next is another message, unless it names its messages itself. */
  interrupt(): void
  /** The last message so far. */
  answer(): string
  /** Puts what is still being said into the transcript. */
  end(): void
}

const Chunk = z.object({
  content: z.object({ type: z.literal('text'), text: z.string() }),
  messageId: z.string().nullish().catch(null),
})

/** `fail` is told when a message is too large. */
export function gatherMessages(box: AgentBox, fail: (failure: Failure) => void): AcpMessages {
  let said = { kind: 'message', id: null as string | null, text: '' }
  let answer = ''
  let isInterrupted = false

  function end(): void {
    if (said.text !== '') box.record({ kind: 'text', of: said.kind, text: said.text })
    said = { ...said, text: '' }
  }

  function take(kind: 'message' | 'thought', update: unknown): void {
    const { success, data } = Chunk.safeParse(update)
    if (!success) return
    const id = data.messageId ?? null
    const isNext = kind !== said.kind || id !== said.id || (id === null && isInterrupted)
    if (isNext) end()
    said = { kind, id, text: said.text + data.content.text }
    isInterrupted = false
    if (kind === 'message') answer = said.text
    if (said.text.length > MAX_ANSWER_BYTES)
      fail(new Failure('Agent.InvalidAnswer', `expected messages of at most ${MAX_ANSWER_BYTES} bytes`))
  }

  function interrupt(): void {
    isInterrupted = true
    if (said.id === null) end()
  }

  return { take, end, interrupt, answer: () => answer }
}
