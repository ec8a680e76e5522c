import type { Command } from '../command.js'

/** Every command by what is typed for it, in the order of --help. Each is loaded only when it may be meant: see `commandsFor`. */
const LOADERS = {
  up: async () => (await import('./up.js')).upCommand,
  worker: async () => (await import('./worker.js')).workerCommand,
  doctor: async () => (await import('./doctor.js')).doctorCommand,
  demo: async () => (await import('./demo.js')).demoCommand,
  'run circt': async () => (await import('./run-circt.js')).runCirctCommand,
  'start circt': async () => (await import('./start-circt.js')).startCirctCommand,
  'run phase': async () => (await import('./run-phase.js')).runPhaseCommand,
  'start phase': async () => (await import('./start-phase.js')).startPhaseCommand,
  plan: async () => (await import('./plan.js')).planCommand,
  'run eval': async () => (await import('./run-eval.js')).runEvalCommand,
  'start eval': async () => (await import('./start-eval.js')).startEvalCommand,
  'run refine': async () => (await import('./run-refine.js')).runRefineCommand,
  'start refine': async () => (await import('./start-refine.js')).startRefineCommand,
  'run review': async () => (await import('./run-review.js')).runReviewCommand,
  'start review': async () => (await import('./start-review.js')).startReviewCommand,
  gates: async () => (await import('./gates.js')).gatesCommand,
  list: async () => (await import('./list.js')).listCommand,
  status: async () => (await import('./status.js')).statusCommand,
  watch: async () => (await import('./watch.js')).watchCommand,
  result: async () => (await import('./result.js')).resultCommand,
  pull: async () => (await import('./pull.js')).pullCommand,
  inbox: async () => (await import('./inbox.js')).inboxCommand,
  answer: async () => (await import('./answer.js')).answerCommand,
  guide: async () => (await import('./guide.js')).guideCommand,
  pause: async () => (await import('./pause.js')).pauseCommand,
  resume: async () => (await import('./resume.js')).resumeCommand,
  abort: async () => (await import('./abort.js')).abortCommand,
  cancel: async () => (await import('./cancel.js')).cancelCommand,
  submit: async () => (await import('./submit.js')).submitCommand,
  vote: async () => (await import('./vote.js')).voteCommand,
  aggregate: async () => (await import('./aggregate.js')).aggregateCommand,
  completion: async () => (await import('./completion.js')).completionCommand,
} satisfies Record<string, () => Promise<Command>>

/**
 * The commands that a command line may mean: those that begin with its first word, or all when it has none that we know (help and complaints
 * then name them all). A word is what is no option; the options before a command are switches.
 */
export async function commandsFor(argv: readonly string[]): Promise<readonly Command[]> {
  const word = argv.find((each) => !each.startsWith('-'))
  const meant = Object.entries(LOADERS).filter(([typed]) => typed.split(' ', 1)[0] === word)
  return await Promise.all((meant.length > 0 ? meant : Object.entries(LOADERS)).map(([, load]) => load()))
}

export async function allCommands(): Promise<readonly Command[]> {
  return await commandsFor([])
}
