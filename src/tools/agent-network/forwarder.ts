/** Where a copy of the forwarder is put, and the socket it speaks to, in a folder of ours. */
export const FORWARDER_FILE = 'forwarder.mjs'
export const PROXY_SOCKET = 'proxy'

/**
 * Run inside a sandbox without a network: `node forwarder.mjs FOLDER CWD PROGRAM ARGUMENT...`. Listens on the sandbox's own
 * loopback, hands every connection to the proxy's socket in FOLDER, tells PROGRAM of it by the usual variables, and ends as it ends.
 */
export const FORWARDER_PROGRAM = `import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
const [folder, cwd, program, ...args] = process.argv.slice(2)
// The path of a socket may have about a hundred characters; from here it is short.
process.chdir(folder)
const server = createServer((local) => {
  const remote = connect('${PROXY_SOCKET}')
  local.pipe(remote).pipe(local)
  for (const [one, other] of [[local, remote], [remote, local]]) one.on('error', () => other.destroy())
})
server.listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + server.address().port
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '' }
  for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) env[name] = env[name.toUpperCase()] = url
  const child = spawn(program, args, { cwd, env, stdio: 'inherit' })
  child.on('error', (error) => {
    process.stderr.write('cannot start ' + program + ': ' + error.message + '\\n')
    process.exit(127)
  })
  child.on('exit', (code, signal) => (signal === null ? process.exit(code) : process.kill(process.pid, signal)))
})
`
