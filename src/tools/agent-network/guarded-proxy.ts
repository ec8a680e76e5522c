import { lookup } from 'node:dns/promises'
import { closeSync, openSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { AgentNetwork } from '../../contracts/agent-definition.js'
import { type Destination, refuseAddress, refuseHost } from '../../rules/agent-network.js'
import { FORWARDER_FILE, FORWARDER_PROGRAM, PROXY_SOCKET } from './forwarder.js'

export interface ProxyOrder {
  /** A folder of ours that is not there yet. The sandbox is shown it, and nothing else that leads out. */
  folder: string
  network: AgentNetwork
  /** 'host:port' that is reached under no name: the Temporal server's. */
  forbidden: string | null
  /** Told of everything that was refused, in one line. */
  onRefusal: (line: string) => void
}

/** An HTTP proxy behind a socket file: the only way out of a sandbox that has no network of its own. */
export interface GuardedProxy {
  close(): Promise<void>
}

/** Opens the proxy. Names are looked up once, here, and what was looked at is what is connected to. */
export async function openGuardedProxy(order: ProxyOrder): Promise<GuardedProxy> {
  await mkdir(order.folder, { mode: 0o700 })
  await writeFile(join(order.folder, FORWARDER_FILE), FORWARDER_PROGRAM)
  const server = createServer((asked, answer) => void passOn(order, asked, answer))
  const sockets = new Set<Duplex>()
  server.on('connection', (socket: Socket) => keep(sockets, socket))
  server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel(order, asked, { socket, head, sockets })
  })
  // The path of a socket may have about a hundred characters; by the open folder it is short.
  const folder = openSync(order.folder, 'r')
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(join('/proc/self/fd', String(folder), PROXY_SOCKET), resolve)
    })
  } finally {
    closeSync(folder)
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function keep(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  socket.on('error', () => socket.destroy())
}

interface Tunnel {
  socket: Duplex
  /** What came right behind the request. */
  head: Buffer
  sockets: Set<Duplex>
}

/** CONNECT: all of HTTPS. */
async function tunnel(order: ProxyOrder, asked: IncomingMessage, { socket, head, sockets }: Tunnel): Promise<void> {
  const way = await wayTo(order, `http://${asked.url ?? ''}`, 443)
  if ('refusal' in way)
    return void socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n${way.refusal}\n`)
  const far = connect({ host: way.address, port: way.port })
  keep(sockets, far)
  far.once('connect', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    far.write(head)
    far.pipe(socket).pipe(far)
  })
  far.once('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
  far.once('close', () => socket.destroy())
  socket.once('close', () => far.destroy())
}

/** Plain HTTP, with the whole address in the request line: model servers of one's own. */
async function passOn(order: ProxyOrder, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const way = await wayTo(order, asked.url ?? '', 80)
  if ('refusal' in way) return void answer.writeHead(403, { 'content-type': 'text/plain' }).end(`${way.refusal}\n`)
  const { 'proxy-connection': _, ...headers } = asked.headers
  const far = request({ host: way.address, port: way.port, path: way.path, method: asked.method, headers })
  far.once('response', (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(answer)
    reply.once('error', () => answer.destroy())
  })
  far.once('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
  answer.once('close', () => far.destroy())
  asked.pipe(far)
}

type Way = { address: string; port: number; path: string } | { refusal: string }

async function wayTo(order: ProxyOrder, url: string, defaultPort: number): Promise<Way> {
  const way = await findWay(order, url, defaultPort)
  if ('refusal' in way) order.onRefusal(way.refusal)
  return way
}

async function findWay({ network, forbidden }: ProxyOrder, url: string, defaultPort: number): Promise<Way> {
  if (!URL.canParse(url) || !url.startsWith('http://')) return { refusal: 'not an address of the web' }
  const { hostname, port: portText, pathname, search } = new URL(url)
  const wanted: Destination = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(portText) || defaultPort }
  const named = refuseHost(network, wanted)
  if (named !== null) return { refusal: named }
  const [address] = await addressesOf(wanted.host)
  if (address === undefined) return { refusal: `${wanted.host} cannot be looked up` }
  const refusal = refuseAddress(network, wanted, address)
  if (refusal !== null) return { refusal }
  if (await isForbidden(forbidden, { host: address, port: wanted.port }))
    return { refusal: 'the Temporal server is not for agents' }
  return { address, port: wanted.port, path: `${pathname}${search}` }
}

/** By every address it has, and by every address of this machine when it is on it. */
async function isForbidden(forbidden: string | null, { host, port }: Destination): Promise<boolean> {
  const [, name, portText] = /^(.*):(\d+)$/.exec(forbidden ?? '') ?? []
  if (name === undefined || Number(portText) !== port) return false
  const known = await addressesOf(name.replace(/^\[|\]$/g, ''))
  return known.some((address) => address === host || (isLocal(address) && isLocal(host)))
}

/** Of this machine, by whatever address. */
function isLocal(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return /^(127\.|::1$|0\.0\.0\.0$|::$|::ffff:127\.)/.test(address) || own.some((each) => each.address === address)
}

/** None when the name is not known. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}
