import type { AgentNetwork } from '../contracts/agent-definition.js'

export interface Destination {
  /** A name or an address, without brackets. */
  host: string
  port: number
}

/** Why an agent may not ask for a destination by this name, or null. What the name leads to is `refuseAddress`'s to say. */
export function refuseHost(network: AgentNetwork, { host, port }: Destination): string | null {
  if (network === false) return 'this agent has no network'
  if (network === true) return WEB_PORTS.includes(port) ? null : `port ${port} is not one of ${WEB_PORTS.join(', ')}`
  return isListed(network.hosts, { host, port }) ? null : `${host}:${port} is not on this agent's list of hosts`
}

const WEB_PORTS = [80, 443]

/**
 * Why an address must not be reached, or null. Those of this machine and of private networks only when the definition names them:
 * a public name may be made to lead to them.
 */
export function refuseAddress(network: AgentNetwork, wanted: Destination, address: string): string | null {
  if (isPublicAddress(address)) return null
  const isNamed = typeof network === 'object' && isListed(network.hosts, wanted) && isOwnName(wanted.host)
  return isNamed ? null : `${wanted.host} leads to an address of this machine or a private network`
}

/** Names that mean this machine or a private network by themselves. */
function isOwnName(host: string): boolean {
  return host === 'localhost' || /^\d+(\.\d+){3}$/.test(host) || host.includes(':')
}

function isListed(hosts: readonly string[], { host, port }: Destination): boolean {
  return hosts.some((entry) => {
    const [, name = entry, portText = '443'] =
      /^(.*?)(?::(\d+))?$/.exec(entry.startsWith('[') ? entry.slice(1).replace(']', '') : entry) ?? []
    return name.toLowerCase() === host.toLowerCase() && Number(portText) === port
  })
}

/** Whether an IP address is of the public internet: no loopback, private, link-local, shared, multicast or reserved one. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::(?:ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
  const parts = mapped.split('.').map(Number)
  if (parts.length === 4) return !PRIVATE_V4.some((isPrivate) => isPrivate(parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0))
  // 2000::/3 is all that is given out; within it Teredo, 6to4 and documentation lead elsewhere.
  return /^[23][0-9a-f]{3}:/i.test(address) && !/^(2001:0{0,4}:|2001:db8:|2002:|3fff:)/i.test(address)
}

const PRIVATE_V4: readonly ((a: number, b: number, c: number) => boolean)[] = [
  (a) => a === 0 || a === 10 || a === 127 || a >= 224,
  (a, b) => a === 100 && b >= 64 && b <= 127,
  (a, b) => a === 169 && b === 254,
  (a, b) => a === 172 && b >= 16 && b <= 31,
  (a, b) => a === 192 && b === 168,
  (a, b, c) => a === 192 && b === 0 && (c === 0 || c === 2),
  (a, b) => a === 198 && (b === 18 || b === 19),
]
