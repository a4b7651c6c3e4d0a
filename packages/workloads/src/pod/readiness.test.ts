import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  const ask = (probe: Probe, signal = new AbortController().signal) =>
    runProbe(
      { name: 'main', ports: [{ name: 'web', containerPort: port }], env: [{ name: 'A', value: '1' }] },
      probe,
      signal,
    )

  it('by HTTP takes answers from 200 to 399, on a port by number or name', async () => {
    expect(await ask({ httpGet: { path: '/fine', port } })).toBeUndefined()
    expect(await ask({ httpGet: { path: '/fine', port: 'web' } })).toBeUndefined()
    expect(await ask({ httpGet: { path: '/', port } })).toBe('HTTP probe failed with statuscode: 503')
    expect(await ask({ httpGet: { path: '/', port: 'other' } })).toBe('the container has no port named other')
  })

  it('waits no longer than it may', async () => {
    expect(await ask({ httpGet: { path: '/hangs', port }, timeoutSeconds: 0.05 })).toBe('no answer within 0.05 s')
  })

  it('by connection asks whether anybody listens', async () => {
    expect(await ask({ tcpSocket: { port } })).toBeUndefined()
    expect(await ask({ tcpSocket: { port: 1 } })).toContain('ECONNREFUSED')
  })

  it('by command goes by its exit code', async () => {
    expect(await ask({ exec: { command: ['/bin/sh', '-c', 'test "$A" = 1'] } })).toBeUndefined()
    expect(await ask({ exec: { command: ['/bin/sh', '-c', 'exit 3'] } })).toContain('Command failed')
  })

  it('ends with its run', async () => {
    await expect(ask({ tcpSocket: { port } }, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  })
})
