import { afterEach, describe, expect, it } from 'vitest'
import { answerHealth, type HealthServer, serveHealth } from './health-server.ts'

const sources = {
  healthy: () => undefined,
  ready: () => 'the cache of Site is not filled yet',
  metrics: () => 'm 1\n',
}

describe('health', () => {
  it.each([
    ['GET', '/healthz', 200, 'ok'],
    ['GET', '/healthz?verbose', 200, 'ok'],
    ['GET', '/readyz', 503, 'the cache of Site is not filled yet\n'],
    ['GET', '/metrics', 200, 'm 1\n'],
    ['GET', '/', 404, 'there are /healthz, /readyz and /metrics\n'],
    ['POST', '/healthz', 405, 'only GET is answered here\n'],
  ])('%s %s is %i', (method, path, status, body) => {
    expect(answerHealth(method, path, sources)).toMatchObject({ status, body })
  })

  it('takes a source that throws for unwell', () => {
    const broken = {
      ...sources,
      healthy: () => {
        throw new Error('cannot tell')
      },
    }
    expect(answerHealth('GET', '/healthz', broken)).toEqual({ status: 500, body: 'cannot tell\n' })
  })
})

describe('the health server', () => {
  let server: HealthServer | undefined
  afterEach(() => server?.close())

  it('answers over HTTP on loopback', async () => {
    server = await serveHealth({ port: 0 }, sources)
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const answer = await fetch(`${server.url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await answer.text()).toBe('m 1\n')
    const head = await fetch(`${server.url}/readyz`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([503, ''])
  })

  it('can be closed twice, and says which port it could not have', async () => {
    server = await serveHealth({ port: 0 }, sources)
    const port = Number(new URL(server.url).port)
    await expect(serveHealth({ port }, sources)).rejects.toThrow(
      `health cannot listen on 127.0.0.1:${port}: another process has the port (EADDRINUSE); end it, or give health another`,
    )
    await Promise.all([server.close(), server.close()])
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })
})
