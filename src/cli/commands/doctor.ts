import { EXIT } from '../../rules/cli-exit-codes.js'
import { folderOption } from '../case-request.js'
import type { Command } from '../command.js'
import { table } from '../print.js'

export const doctorCommand: Command = {
  path: ['doctor'],
  summary: 'what is on this machine, what is missing and how to get it; changes nothing',
  options: [{ flags: '--circt-bin <DIR>', summary: 'folder with the CIRCT programs to look at', takesFile: true }],
  examples: ['gauntlet doctor', 'gauntlet doctor --json'],
  run: async (context, input) => {
    const { home, env } = context
    const { describeServer } = await import('../../workers/server.js')
    const { describeEnvironment } = await import('../../tools/environment.js')
    const circtBin = (await folderOption(context, input, 'circtBin')) ?? null
    const rows = await describeEnvironment({ home, env, circtBin, server: await describeServer({ home, env }) })
    const lines = rows.map((row) => [MARKS[row.status], row.name, row.detail, row.how_to_get ?? ''])
    const isMissing = rows.some((row) => row.status === 'missing')
    return { exit: isMissing ? EXIT.engine : EXIT.good, json: rows, text: table(lines) }
  },
}

const MARKS = { ok: 'ok', missing: 'MISSING', 'optional-missing': 'optional' }
