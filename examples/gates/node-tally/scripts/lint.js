// The smallest linter there is: no tabs, no trailing blanks.
import { readFileSync, readdirSync } from 'node:fs'

const files = ['src', 'test', 'scripts'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
const found = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, at) => (/\t|\s$/.test(line) ? [`${file}:${at + 1}: a tab or a trailing blank`] : [])),
)
for (const line of found) console.log(line)
process.exitCode = found.length > 0 ? 1 : 0
