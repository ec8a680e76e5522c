// Starts the command given as JSON and waits, to be killed by the test.
import { spawn } from 'node:child_process'

const [file, ...args] = JSON.parse(process.argv[2])
const child = spawn(file, args, { detached: true, env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
child.stdout.once('data', () => process.stdout.write('started\n'))
setTimeout(() => {}, 60_000)
