import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Reply {
  status?: number
  headers?: Record<string, string>
  /** Sent as JSON, or as it is when it is a string. */
  body?: unknown
  /** True cuts the connection instead of answering. */
  drops?: boolean
  /** True never answers. */
  hangs?: boolean
}

export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}

/** A server on this machine that speaks GitHub's REST wire format: `reply` is asked for every request. */
export async function gitHubServer(reply: (asked: Asked, base: string) => Reply) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', base)
      const text = Buffer.concat(chunks).toString('utf8')
      const one = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      }
      asked.push(one)
      const { status = 200, headers = {}, body = {}, drops = false, hangs = false } = reply(one, base)
      if (hangs) return
      if (drops) return void response.destroy()
      const isText = typeof body === 'string'
      const type = isText ? 'text/html' : 'application/json; charset=utf-8'
      response.writeHead(status, { 'content-type': type, ...headers }).end(isText ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
