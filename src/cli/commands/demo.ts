import { mistake } from '../cli-error.js'
import { type Command, type CommandInput, type Context, type Output } from '../command.js'
import { CIRCT_PLACES, STORE_OPTION } from './circt-options.js'

type Demo = (context: Context, input: CommandInput) => Promise<Output>

/** Each works on an example of ours, in `--dir`, and needs no model. */
const DEMOS: Record<string, () => Promise<Demo>> = {
  circt: async () => (await import('../demo-circt.js')).demoCirct,
  phase: async () => (await import('../demo-phase.js')).demoPhase,
  review: async () => (await import('../demo-review.js')).demoReview,
  eval: async () => (await import('../demo-eval.js')).demoEval,
}

const NAMES = Object.keys(DEMOS)

export const demoCommand: Command = {
  path: ['demo'],
  summary: 'a pipeline on a bundled example, without a model; fetches what it needs',
  arguments: [{ name: 'PIPELINE', summary: `one of ${NAMES.join(', ')} (default: circt)`, isOptional: true }],
  options: [
    {
      flags: '--dir <DIR>',
      summary: 'folder to work in, made when missing',
      default: './gauntlet-demo',
      takesFile: true,
    },
    ...CIRCT_PLACES,
    STORE_OPTION,
  ],
  examples: ['gauntlet demo', 'gauntlet demo phase --dir /tmp/demo'],
  run: async (context, input) => {
    const name = input.args['PIPELINE'] ?? 'circt'
    const load = Object.hasOwn(DEMOS, name) ? DEMOS[name] : undefined
    if (load === undefined) throw mistake('PIPELINE', `one of ${NAMES.join(', ')}`, JSON.stringify(name))
    return await (
      await load()
    )(context, input)
  },
}
