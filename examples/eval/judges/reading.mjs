import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// What makes code hard to read by its looks: long lines, names of one letter, several statements in a line, no word of explanation.
const folder = process.argv[2]
const files = readdirSync(folder, { recursive: true }).filter((name) => /\.[cm]?js$/.test(name))
const lines = files
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  .filter((line) => line.trim() !== '')
const share = (count) => count / lines.length
const long = share(lines.filter((line) => line.length > 100).length)
const crowded = share(lines.filter((line) => (line.match(/;\s*\S/g) ?? []).length > 0).length)
const names = lines.join('\n').match(/\b[a-zA-Z_$][\w$]*\b/g) ?? []
const terse = names.filter((name) => name.length === 1).length / names.length
const isExplained = lines.some((line) => /^\s*(?:\/\/|\/\*\*)/.test(line))
// A little of each is nothing to speak of.
const beyond = (value, usual) => Math.max(0, value - usual)
const score = Math.max(
  0,
  10 - 20 * beyond(long, 0.05) - 10 * beyond(crowded, 0.1) - 15 * beyond(terse, 0.1) - (isExplained ? 0 : 2),
)
const percent = (value) => `${Math.round(value * 100)} %`
console.log(
  JSON.stringify({
    score: Math.round(score * 100) / 100,
    reasons: [
      `${percent(long)} long lines, ${percent(crowded)} crowded ones, ${percent(terse)} names of one letter${isExplained ? '' : ', nothing is explained'}`,
    ],
    angle: 'maintainability',
  }),
)
