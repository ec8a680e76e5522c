import { appendFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { AnalysedText, AnalyseText } from './raw-finding.js'

/**
 * The program that the analysers run in, apart from the worker: texts of strangers may make them hang, crash or fill the memory. Its first argument is
 * the analyser; stdin is the texts as JSON; for each text it appends two lines to the file named second: that it begins, and how it ended.
 */
const ANALYSERS: Readonly<Record<string, () => Promise<AnalyseText>>> = {
  // Each loads only its own: the others would take longer to load than a small change to read.
  eslint: async () => (await import('./eslint-analyser.js')).createEslintAnalyser(),
  'ast-grep': async () => (await import('./pattern-analyser.js')).createPatternAnalyser(),
  secretlint: async () => (await import('./secret-analyser.js')).createSecretAnalyser(),
  metrics: async () => (await import('./metrics-analyser.js')).createMetricsAnalyser(),
}

const create = ANALYSERS[process.argv[2] ?? '']
if (create === undefined) throw new Error(`expected one of ${Object.keys(ANALYSERS).join(', ')}`)
const analyse = await create()
const texts = JSON.parse(await text(process.stdin)) as AnalysedText[]
for (const [index, given] of texts.entries()) {
  tell({ index, begins: true })
  tell(await outcomeOf(index, given))
}

async function outcomeOf(index: number, given: AnalysedText): Promise<unknown> {
  try {
    return { index, findings: await analyse(given) }
  } catch (error) {
    return { index, failure: error instanceof Error ? (error.message.split('\n')[0] ?? '').slice(0, 300) : 'failed' }
  }
}

function tell(line: unknown): void {
  appendFileSync(process.argv[3] ?? 'results', `${JSON.stringify(line)}\n`)
}
