import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Runtime } from '@homeostat/runtimes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Probe } from '../kinds.ts'
import { nextReadiness, type Readiness } from './readiness.ts'
import { runProbe } from './run-probe.ts'

describe('readiness', () => {
  it.each([
    ['+', {}, 'R'],
    ['++', { successThreshold: 2 }, '-R'],
    ['+-+-', {}, 'RRRR'],
    ['+---+', {}, 'RRR-R'],
    ['+-+--', { failureThreshold: 2 }, 'RRRR-'],
    ['+-+', { failureThreshold: 1, successThreshold: 1 }, 'R-R'],
  ])('after %s with %j is %s', (results, probe, expected) => {
    let now: Readiness | undefined
    const seen = [...results].map((result) => {
      now = nextReadiness(now, 'unit', result === '+', probe, 0)
      return now.ready ? 'R' : '-'
    })
    expect(seen.join('')).toBe(expected)
  })

  it('begins anew with another unit, and is asked for once per period', () => {
    const before = { unit: 'old', ready: true, against: 0, dueAt: 5 }
    expect(nextReadiness(before, 'new', false, { periodSeconds: 7 }, 1000)).toEqual({
      unit: 'new',
      ready: false,
      against: 0,
      dueAt: 8000,
    })
  })
})

describe('a probe', () => {
  const server = createServer((request, response) => {
    if (request.url === '/hangs') return
    response.writeHead(request.url === '/fine' ? 204 : 503, { 'content-type': 'text/plain' })
    response.end()
  })
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = (probe: Probe, signal = new AbortController().signal, address?: string, exec?: Runtime['exec']) =>
    runProbe(
      { name: 'main', ports: [{ name: 'web', containerPort: port }], env: [{ name: 'A', value: '1' }] },
      probe,
      { runtime: { ...(exec && { exec }) }, unit: { id: 'u', ...(address !== undefined && { address }) } },
      signal,
    )

  it('by HTTP takes answers from 200 to 399, on a port by number or name', async () => {
    expect(await ask({ httpGet: { path: '/fine', port } })).toBeUndefined()
    expect(await ask({ httpGet: { path: '/fine', port: 'web' } })).toBeUndefined()
    expect(await ask({ httpGet: { path: '/', port } })).toBe('HTTP probe failed with statuscode: 503')
    expect(await ask({ httpGet: { path: '/', port: 'other' } })).toBe('the container has no port named other')
  })

  it('waits no longer than it may', async () => {
    expect(await ask({ httpGet: { path: '/hangs', port }, timeoutSeconds: 0.05 })).toBe('no response within 0.05 s')
  })

  it('by connection asks whether anybody listens', async () => {
    expect(await ask({ tcpSocket: { port } })).toBeUndefined()
    expect(await ask({ tcpSocket: { port: 1 } })).toContain('ECONNREFUSED')
  })

  it('by command goes by its exit code', async () => {
    expect(await ask({ exec: { command: ['/bin/sh', '-c', 'test "$A" = 1'] } })).toBeUndefined()
    expect(await ask({ exec: { command: ['/bin/sh', '-c', 'exit 3'] } })).toContain('Command failed')
  })

  it('goes to the address of the container, if it has one, or to the host that is named', async () => {
    const { signal } = new AbortController()
    expect(await ask({ tcpSocket: { port } }, signal, '127.0.0.1')).toBeUndefined()
    expect(await ask({ httpGet: { path: '/fine', port } }, signal, '127.0.0.99')).toContain('127.0.0.99')
    expect(await ask({ httpGet: { path: '/fine', port, host: '127.0.0.1' } }, signal, '127.0.0.99')).toBeUndefined()
    expect(await ask({ tcpSocket: { port } }, signal, '')).toContain('the container has no network')
  })

  it('by command is run inside the container, where there is an inside', async () => {
    const { signal } = new AbortController()
    const exec = async (id: string, [name = '']: readonly string[]) => ({ exitCode: Number(name), output: `${id}!\n` })
    expect(await ask({ exec: { command: ['0'] } }, signal, undefined, exec)).toBeUndefined()
    expect(await ask({ exec: { command: ['3'] } }, signal, undefined, exec)).toBe('command "3" ended with 3: u!')
  })

  it('ends with its run', async () => {
    await expect(ask({ tcpSocket: { port } }, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  })
})
