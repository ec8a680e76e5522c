import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type GateName, GateName as GateNames, QualityLevel, type QualityReport } from '../../contracts/quality.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { plainLine } from '../../rules/cli-progress.js'
import { qualityJunit } from '../../rules/quality-junit.js'
import { GATES } from '../../rules/quality.js'
import { agreeOnSandbox } from '../agree-on-sandbox.js'
import { Interrupted, mistake } from '../cli-error.js'
import { type Command, type CommandInput, type Context, textOption } from '../command.js'
import { table } from '../print.js'

export const gatesCommand: Command = {
  path: ['gates'],
  summary: 'the seven quality gates on a copy of a project, without a server; the project itself is only read',
  options: [
    { flags: '--repo <PATH>', summary: 'the project', default: '.', takesFile: true },
    {
      flags: '--quality <LEVEL>',
      summary: "what is asked for (default: the project's own, else strict)",
      choices: QualityLevel.options,
    },
    { flags: '--only <GATES>', summary: `some of ${GATES.join(',')}; the others are skipped` },
    { flags: '--format <FORMAT>', summary: 'how to print', choices: ['table', 'json', 'junit'], default: 'table' },
    { flags: '--unsandboxed', summary: 'agree to run without bubblewrap where there is none' },
  ],
  examples: ['gauntlet gates', 'gauntlet gates --repo ../my-project --quality balanced --only build,test,lint --json'],
  run: async (context, input) => {
    const repo = await repoOption(context, input)
    const only = onlyOption(input)
    const level = QualityLevel.safeParse(textOption(input, 'quality'))
    await agreeOnSandbox(context, input)
    const report = await judgeRepo(context, { repo, only, level: level.success ? level.data : null })
    const exit = report.overallStatus === 'pass' ? EXIT.good : EXIT.negative
    return { exit, json: report, text: textOf(report, textOption(input, 'format') ?? 'table') }
  },
}

async function repoOption({ cwd }: Context, input: CommandInput): Promise<string> {
  const given = textOption(input, 'repo') ?? '.'
  const path = resolve(cwd, given)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory() !== true) throw mistake('--repo', 'a folder', JSON.stringify(given))
  return path
}

function onlyOption(input: CommandInput): GateName[] | null {
  const given = textOption(input, 'only')
  if (given === undefined) return null
  const names = given.split(',').map((name) => GateNames.safeParse(name.trim()))
  if (names.some((name) => !name.success))
    throw mistake('--only', `some of ${GATES.join(', ')} with commas between`, JSON.stringify(given))
  return names.flatMap((name) => (name.success ? [name.data] : []))
}

interface Asked {
  repo: string
  only: readonly GateName[] | null
  level: QualityLevel | null
}

async function judgeRepo({ home, env, signal, terminal }: Context, asked: Asked): Promise<QualityReport> {
  const { detectSandbox } = await import('../../tools/process/sandbox.js')
  const { createRunner } = await import('../../tools/process/runner.js')
  const { runGates } = await import('../../tools/gates/run-gates.js')
  const { sweepScratch } = await import('../../tools/folder/scratch.js')
  const scratchRoot = join(home, 'scratch')
  await sweepScratch(scratchRoot)
  const sandbox = await detectSandbox(scratchRoot)
  const isSandboxed = sandbox.kind !== 'none'
  const run = createRunner(isSandboxed ? { sandbox: 'bubblewrap', bwrapPath: sandbox.path } : { sandbox: 'none' })
  const onGate = (name: GateName) => terminal.draw([`▶ ${name}`])
  const leaveOut = [await realpath(home)]
  try {
    return await runGates({ ...asked, scratchRoot, run, isSandboxed, env, leaveOut, signal, onGate })
  } catch (error) {
    if (signal.aborted) throw new Interrupted('interrupted; the project was not touched')
    throw error
  }
}

function textOf(report: QualityReport, format: string): string {
  if (format === 'json') return JSON.stringify(report, null, 2)
  if (format === 'junit') return qualityJunit(report)
  const rows = GATES.map((name) => rowOf(name, report))
  const { overallStatus, reasons, score, config, isSandboxed, notes } = report
  const points = score === null ? 'no score' : `score ${(Math.floor(score * 10) / 10).toFixed(1)} of 100`
  const verdict = `${overallStatus}: quality ${config.level}, ${points}${isSandboxed ? '' : ', unsandboxed'}`
  return [table(rows), '', verdict, ...[...reasons, ...notes].map((line) => `  ${plainLine(line)}`)].join('\n')
}

function rowOf(name: GateName, report: QualityReport): string[] {
  const { status, seconds, details, isBlocking, command } = report[name]
  const clock = command === null && seconds === 0 ? '' : `${seconds.toFixed(1)} s`
  const isMild = !isBlocking && (status === 'fail' || status === 'unavailable')
  return [MARKS[status], name, status, clock, plainLine(`${details}${isMild ? ' (does not block)' : ''}`)]
}

const MARKS = { pass: '✔', fail: '✘', skipped: '–', unavailable: '?' } as const
