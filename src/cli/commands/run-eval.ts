import { agreeOnSandbox } from '../agree-on-sandbox.js'
import type { Command } from '../command.js'
import { followEval } from '../follow-eval.js'
import { STORE_OPTION } from './circt-options.js'
import { EVAL_OPTIONS } from './eval-options.js'

export const runEvalCommand: Command = {
  path: ['run', 'eval'],
  summary:
    'a jury of models, agents and programs over rounds; which candidate is best, how sure, and who says otherwise',
  options: [...EVAL_OPTIONS, STORE_OPTION],
  examples: [
    'gauntlet run eval --candidates ./patches --criteria criteria.txt --judge tests=builtin:tests:./checks --judge size=builtin:size',
    "gauntlet run eval --candidates plans.json --criteria criteria.txt --judge 'ada=command:./judge.py' --mode thorough --json",
  ],
  run: async (context, input) => {
    const allowUnsandboxed = await agreeOnSandbox(context, input)
    return await followEval(context, input, allowUnsandboxed)
  },
}
