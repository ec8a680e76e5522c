import { EXIT } from '../../rules/cli-exit-codes.js'
import { circtPlaces } from '../circt-run.js'
import type { Command } from '../command.js'
import { openEngine } from '../engine.js'
import { keepRunning } from '../keep-running.js'
import { projectRegistered } from '../project-registered.js'
import { CIRCT_PLACES, STORE_OPTION } from './circt-options.js'
import { slotsOf, SLOTS_OPTION } from './worker.js'

export const upCommand: Command = {
  path: ['up'],
  summary: 'server, its UI, a worker, and live files of the runs started on this host, until Ctrl-C',
  options: [SLOTS_OPTION, ...CIRCT_PLACES, STORE_OPTION],
  examples: ['gauntlet up'],
  run: async (context, input) => {
    const places = await circtPlaces(context, input)
    const engine = await openEngine(context, { ...places, toolSlots: slotsOf(input), note: 'up' })
    try {
      const { server } = engine
      context.terminal.note(`Temporal at ${server.address}${server.uiUrl === null ? '' : `, UI at ${server.uiUrl}`}`)
      context.terminal.note('Ctrl-C stops it; runs go on at the next `gauntlet up`, `worker` or `run`')
      const project = projectRegistered(context)
      await keepRunning(context, engine, () => project(engine))
    } finally {
      await engine.close()
    }
    return { exit: EXIT.good, json: { stopped: true }, text: '' }
  },
}
