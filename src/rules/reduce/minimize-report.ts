import type { CrashSignature } from '../../contracts/crash-signature.js'
import type { SourceSize } from './source-size.js'
import { reductionPercent } from './source-size.js'

/** One pass that was run. */
export interface PassRow {
  stage: string
  runs: number
  linesBefore: number
  linesAfter: number
  bytesBefore: number
  bytesAfter: number
  seconds: number
  /** True when its first result was another bug, and it was done again with the slow check on every step. */
  wasRedone: boolean
}

export interface MinimizeFacts {
  command: string
  original: SourceSize
  minimized: SourceSize
  before: CrashSignature
  after: CrashSignature
  passes: readonly PassRow[]
  runs: number
  cacheHits: number
  isOneMinimal: boolean
  /** Of the three last runs, how many showed the bug. */
  confirmedRuns: number
  lastRuns: number
  note: string
  /** Of one-pass.mlir, null where there is none. */
  onePass: { lines: number; runs: number } | null
}

/** `minimize_report.md`: sizes, signature before and after, and a row per pass that took something. */
export function minimizeReport(facts: MinimizeFacts): string {
  return [
    '# Minimization',
    '',
    facts.note,
    '',
    `Command: \`${facts.command}\``,
    '',
    '| | original | minimized | reduction |',
    '| --- | ---: | ---: | ---: |',
    ...(['lines', 'bytes', 'tokens'] as const).map((measure) => sizeRow(facts, measure)),
    '',
    `Oracle runs: ${facts.runs}; answered from the cache: ${facts.cacheHits}. Confirmed by ${facts.confirmedRuns} of ${facts.lastRuns} last runs. ` +
      (facts.isOneMinimal ? 'No single line can go.' : 'Not shown to be 1-minimal by line.'),
    '',
    ...(facts.onePass === null
      ? []
      : [
          `The failing pass alone: one-pass.mlir, ${facts.onePass.lines} lines, ${facts.onePass.runs} further runs.`,
          '',
        ]),
    '## Signature',
    '',
    '| | original | minimized |',
    '| --- | --- | --- |',
    ...signatureRows(facts),
    '',
    '## Passes',
    '',
    '| pass | runs | lines | bytes | seconds |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...facts.passes.filter((row) => row.bytesBefore !== row.bytesAfter || row.wasRedone).map(passRow),
    '',
    passesInVain(facts.passes),
    '',
  ].join('\n')
}

function sizeRow({ original, minimized }: MinimizeFacts, measure: keyof SourceSize): string {
  const percent = reductionPercent(original[measure], minimized[measure]).toFixed(1)
  return `| ${measure} | ${original[measure]} | ${minimized[measure]} | ${percent} % |`
}

function signatureRows({ before, after }: MinimizeFacts): string[] {
  const row = (name: string, show: (signature: CrashSignature) => string) =>
    `| ${name} | ${cell(show(before))} | ${cell(show(after))} |`
  return [
    row('kind', ({ kind }) => kind),
    row('signal', ({ signal }) => signal ?? ''),
    row('failing pass', ({ failing_pass }) => failing_pass ?? ''),
    row('message', ({ message }) => message ?? ''),
    row('frames', ({ frames }) => frames.join(', ')),
  ]
}

/** Text of a compiler in a table: no line breaks, no bars, no markup. */
function cell(text: string): string {
  const plain = text
    .replace(/\s+/gu, ' ')
    .replaceAll('`', "'")
    .replaceAll('|', String.raw`\|`)
  return plain === '' ? '–' : `\`${plain}\``
}

function passRow(row: PassRow): string {
  const name = row.wasRedone ? `${row.stage} (slipped to another bug, done again)` : row.stage
  return `| ${name} | ${row.runs} | ${row.linesBefore} → ${row.linesAfter} | ${row.bytesBefore} → ${row.bytesAfter} | ${row.seconds.toFixed(1)} |`
}

function passesInVain(passes: readonly PassRow[]): string {
  const inVain = passes.filter((row) => row.bytesBefore === row.bytesAfter && !row.wasRedone)
  const runs = inVain.reduce((sum, row) => sum + row.runs, 0)
  return `${inVain.length} further passes took nothing (${runs} runs).`
}
