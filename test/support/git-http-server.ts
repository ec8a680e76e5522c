import { execFileSync, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface GitServer {
  /** Of a repository below the folder: `url('a.git')`. */
  url(name: string): string
  /** Lines of requests so far. */
  requests: string[]
  close(): Promise<void>
}

/** Serves the repositories of a folder over HTTP with git's own program for it. */
export async function gitHttpServer(folder: string): Promise<GitServer> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(backend, folder, { request, response })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { url: (name) => `http://127.0.0.1:${port}/${name}`, requests, close: () => closed(server) }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** CGI: what is asked is in variables, the answer begins with its headers. */
function answer(backend: string, folder: string, { request, response }: Exchange): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const program = spawn(backend, [], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'http.receivepack',
      GIT_CONFIG_VALUE_0: 'true',
      GIT_CONFIG_KEY_1: 'safe.directory',
      GIT_CONFIG_VALUE_1: '*',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  request.pipe(program.stdin)
  program.stdin.on('error', () => program.stdin.destroy())
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  program.on('close', () => {
    const whole = Buffer.concat(chunks)
    const end = whole.indexOf('\r\n\r\n')
    const headers = whole.subarray(0, end).toString('latin1').split('\r\n')
    for (const line of headers) {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.end(whole.subarray(end + 4))
  })
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
