import { calculate } from './calculate.mjs'

// One long text many times, and many short ones once.
const long = Array.from({ length: 200 }, (_, at) => `(${at} + 2 * 3)`).join(' + ')
let total = 0
for (let run = 0; run < 20; run++) total += calculate(long)
for (let at = 0; at < 20_000; at++) total += calculate(`${at} - (2 + ${at}) * 3`)
if (!Number.isFinite(total)) throw new Error('not a number')
