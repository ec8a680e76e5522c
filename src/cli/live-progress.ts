import type { Answer, Question, RunState } from '../contracts/run.js'
import { fitWidth, newLines, plainLine, plainText, stepTable } from '../rules/cli-progress.js'
import { foldLine } from '../rules/fold-line.js'
import { refuseAnswer } from '../rules/questions.js'
import { scoreChart } from '../rules/refine/score-chart.js'
import type { Projection } from '../tools/case-folder/project-files.js'
import type { Follower } from './follow-run.js'
import type { Terminal } from './terminal.js'

export interface LiveOptions {
  terminal: Terminal
  /** Null when the files are written elsewhere. */
  projection: Projection | null
  /** Gets the names of the files that are in the folder now. */
  inPlace: Set<string>
  /** True when nobody is to be asked: every default then stands at once, also in a run that was started with more patience. */
  takesDefaults?: boolean
}

/** Shows a run while it is followed: redrawn in place on a terminal, one plain line for each change elsewhere, nothing with --json. */
export function liveProgress({ terminal, projection, inPlace, takesDefaults = false }: LiveOptions): Follower {
  let before: RunState | null = null
  let isAsking = false
  let isLost = false
  const show = (state: RunState) => {
    if (isLost) terminal.note('the run answers again')
    isLost = false
    if (isAsking || before?.phase === 'completed') return
    if (terminal.isLive) terminal.draw(screen(terminal, state), state.phase === 'completed')
    else for (const line of newLines(before, state, Date.now())) terminal.note(line)
    before = state
  }
  return {
    show,
    write: async (files) => {
      if (projection === null) return
      await projection.write(files)
      for (const { path } of files) inPlace.add(path)
    },
    ask: async (question, signal) => {
      if (takesDefaults) return { question: question.id, option: question.default, by: 'default' }
      if (!terminal.canAsk) {
        announce(terminal, question)
        return null
      }
      isAsking = true
      try {
        return await askPerson(terminal, question, signal)
      } finally {
        isAsking = false
      }
    },
    lost: (seconds) => {
      if (!isLost) terminal.note(`no answer from the run${seconds > 0 ? ` for ${seconds} s` : ''}; trying again`)
      isLost = true
    },
    refused: (error) => terminal.note(`the answer was not taken: ${causeOf(error)}`),
  }
}

/** The run's own words are below the SDK's. */
function causeOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return plainLine(inner instanceof Error ? inner.message : String(inner))
}

function screen(terminal: Terminal, state: RunState): string[] {
  const width = terminal.width() - 1
  const { colors } = terminal
  const paint = { passed: colors.green, failed: colors.red, running: colors.cyan } as Record<
    string,
    (text: string) => string
  >
  const rows = stepTable(state.steps, { nowMs: Date.now(), width })
  const painted = rows.map((row, at) => (paint[state.steps[at]?.status ?? ''] ?? colors.dim)(row))
  const head = `${state.pipeline}  ${state.verdict ?? state.status}  ${state.phase}`
  const chart = state.scores === undefined ? [] : scoreChart(state.scores, width)
  return [colors.bold(fitWidth(head, width)), ...painted, ...(chart.length > 0 ? ['', ...chart] : [])]
}

function announce(terminal: Terminal, question: Question): void {
  terminal.note(
    `? ${plainLine(question.title)} (question ${question.id}; ${optionsOf(question)}; default ${question.default} at ${question.deadline})`,
  )
}

async function askPerson(terminal: Terminal, question: Question, signal: AbortSignal): Promise<Answer | null> {
  terminal.draw([])
  const say = (text: string) => {
    for (const line of text.split('\n').flatMap((each) => foldLine(each, terminal.width()))) terminal.note(line)
  }
  terminal.note(terminal.colors.bold(plainLine(question.title)))
  say(plainText(question.detail))
  for (const option of question.options) say(`  ${option.key}: ${plainLine(option.label)}`)
  say(`Until ${question.deadline}, then: ${question.default}. An empty line takes the default now.`)
  for (;;) {
    const line = await terminal.ask(`${question.id}> `, signal)
    if (line === null) return null
    const word = line.trim() || question.default
    const answer: Answer = { question: question.id, option: word, text: null, by: 'terminal' }
    const refusal = refuseAnswer([question], answer)
    if (refusal === null) return answer
    terminal.note(plainLine(refusal))
  }
}

export function optionsOf(question: Pick<Question, 'options'>): string {
  return question.options.length === 0 ? 'free text' : question.options.map((option) => option.key).join(' | ')
}
