import { describe, expect, it } from 'vitest'
import { isPublicAddress, refuseAddress, refuseHost } from '../../src/rules/agent-network.js'

describe('addresses of the public internet', () => {
  it.each([
    '8.8.8.8',
    '104.18.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '198.17.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
  ])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '127.0.0.1',
    '127.255.0.9',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    'not an address',
  ])('%s is none', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('a host an agent asks for', () => {
  const listed = { hosts: ['api.example.org', 'api.example.org:8443', 'localhost:11434', '[::1]:8080'] }

  it.each([
    [false, 'api.example.org', 443, 'this agent has no network'],
    [true, 'api.example.org', 443, null],
    [true, 'api.example.org', 80, null],
    [true, 'api.example.org', 22, 'port 22 is not one of 80, 443'],
    [listed, 'api.example.org', 443, null],
    [listed, 'API.example.org', 443, null],
    [listed, 'api.example.org', 8443, null],
    [listed, 'api.example.org', 80, "api.example.org:80 is not on this agent's list of hosts"],
    [listed, 'evil.api.example.org', 443, "evil.api.example.org:443 is not on this agent's list of hosts"],
    [listed, '::1', 8080, null],
    [{ hosts: [] }, 'api.example.org', 443, "api.example.org:443 is not on this agent's list of hosts"],
  ])('with network %j: %s:%i gets %s', (network, host, port, refusal) => {
    expect(refuseHost(network, { host, port })).toBe(refusal)
  })

  it.each([
    [true, 'api.example.org', '8.8.8.8', null],
    [true, 'api.example.org', '127.0.0.1', 'api.example.org leads to an address of this machine or a private network'],
    [
      listed,
      'api.example.org',
      '169.254.169.254',
      'api.example.org leads to an address of this machine or a private network',
    ],
    [listed, 'localhost', '127.0.0.1', null],
    [true, 'localhost', '127.0.0.1', 'localhost leads to an address of this machine or a private network'],
  ])('with network %j: %s, looked up as %s, gets %s', (network, host, address, refusal) => {
    const port = host === 'localhost' ? 11_434 : 443
    expect(refuseAddress(network, { host, port }, address)).toBe(refusal)
  })
})
