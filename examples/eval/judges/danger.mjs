import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Ways by which a text becomes a program, or a program leaves its place.
const DANGERS = [
  [/\beval\s*\(/, 'Critical', 'runs text with eval'],
  [/\bnew\s+Function\b|\bFunction\s*\(/, 'Critical', 'makes a function of text'],
  [/\bchild_process\b/, 'Critical', 'starts programs'],
  [/\bimport\s*\(/, 'Major', 'loads modules by name'],
  [/\bprocess\.(?:exit|env|kill)\b/, 'Major', 'reaches into the process'],
]

const folder = process.argv[2]
const files = readdirSync(folder, { recursive: true }).filter((name) => /\.[cm]?js$/.test(name))
const findings = files.flatMap((name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  return DANGERS.filter(([pattern]) => pattern.test(text)).map(([, severity, title]) => ({
    title: `${name} ${title}`,
    severity,
  }))
})
const criticals = findings.filter(({ severity }) => severity === 'Critical').length
const score = Math.max(0, 10 - 9 * criticals - 3 * (findings.length - criticals))
const reasons =
  findings.length === 0 ? ['nothing that runs text or leaves its place'] : findings.map(({ title }) => title)
console.log(JSON.stringify({ score, reasons, findings, angle: 'security' }))
