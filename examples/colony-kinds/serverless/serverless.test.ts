import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Observed } from '../resource.ts'
import { stage } from '../stage.fixture.ts'
import { functionTarget, meaningOf } from './function-call.ts'

const API = 'app.colonies.io/v1'

/** Answers in turn; the last answer stays. */
async function functionServer(...answers: { status: number; body?: string; location?: string }[]) {
  const calls: { headers: IncomingMessage['headers']; body: string }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = answers[Math.min(calls.length, answers.length - 1)]
    calls.push({ headers: request.headers, body })
    if (answer === undefined) return void request.socket.destroy()
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(answer.location && { location: answer.location }),
    })
    response.end(answer.body)
  })
  const listen = (port = 0) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen()
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(stop)
  return { url: `http://127.0.0.1:${port}/resize`, calls, stop, start: () => listen(port) }
}

async function lab(url: string, more: object = {}) {
  const kinds = await stage()
  await kinds.create({
    apiVersion: API,
    kind: 'ServerlessFunction',
    metadata: { name: 'resize' },
    spec: { url, ...more },
  } as never)
  return {
    ...kinds,
    invoke: (name: string, payload: unknown = { width: 3 }) =>
      kinds.create({
        apiVersion: 'colonies.io/v1',
        kind: 'Process',
        metadata: { name },
        spec: {
          funcName: 'invoke',
          kwargs: { function: 'resize', payload },
          conditions: { executorType: 'serverless' },
        },
      } as never),
    process: async (name: string) =>
      (await kinds.find('colonies.io/v1', 'Process', name))?.status as Record<string, unknown>,
  }
}

describe('a ServerlessFunction', () => {
  it('is called by a Process, with its login, and answers with the output', async () => {
    const { url, calls } = await functionServer({ status: 200, body: '{"size":3}' })
    const { client, invoke, process, find } = await lab(url, { secret: 'login', memory: '1Gi' })
    const data = { authorization: Buffer.from('Bearer t\n').toString('base64') }
    await client
      .resource('v1', 'Secret')
      .create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login', namespace: 'dev' }, data } as never)
    await invoke('one')
    await expect.poll(() => process('one')).toMatchObject({ phase: 'Succeeded', output: { size: 3 } })
    expect(calls.map(({ body, headers }) => [body, headers.authorization])).toEqual([['{"width":3}', 'Bearer t']])
    await expect
      .poll(async () => JSON.stringify((await find(API, 'ServerlessFunction', 'resize'))?.status))
      .toContain('nothing acts on spec.memory')
  })

  it('that is busy or away is called again, as the same call', async () => {
    const { url, calls, stop, start } = await functionServer({ status: 503 }, { status: 200, body: '"done"' })
    const { invoke, process } = await lab(url)
    await invoke('one')
    await expect.poll(() => process('one')).toMatchObject({ phase: 'Succeeded', output: 'done', attempt: 2 })
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    await stop()
    await invoke('two')
    await expect.poll(async () => (await process('two'))?.errors).toEqual([expect.stringContaining('ECONNREFUSED')])
    await start()
    await expect.poll(() => process('two')).toMatchObject({ phase: 'Succeeded' })
  })

  it('that refuses is not called again', async () => {
    const { url, calls } = await functionServer({ status: 422, body: 'width is missing' })
    const { invoke, process } = await lab(url)
    await invoke('one')
    await expect
      .poll(() => process('one'))
      .toMatchObject({ phase: 'Failed', errors: ['the function answered 422: width is missing'] })
    expect(calls).toHaveLength(1)
  })

  it('may lead nowhere else, and not answer without end', async () => {
    const elsewhere = await functionServer({ status: 200 })
    const { url } = await functionServer(
      { status: 307, location: elsewhere.url },
      { status: 200, body: `"${'x'.repeat(300_000)}"` },
    )
    const { invoke, process } = await lab(url)
    await invoke('one')
    await expect
      .poll(() => process('one'))
      .toMatchObject({ phase: 'Failed', errors: ["the function's answer has more than 262144 bytes"] })
    expect(elsewhere.calls).toHaveLength(0)
  })

  it('of a host that is not allowed is refused, and says what to do', async () => {
    const kinds = await stage(undefined, undefined, { serverlessHosts: ['functions.example'] })
    const spec = { url: 'http://127.0.0.1:3000/api/v1/secrets' }
    await kinds.create({ apiVersion: API, kind: 'ServerlessFunction', metadata: { name: 'wrong' }, spec } as never)
    await expect
      .poll(async () =>
        JSON.stringify(((await kinds.find(API, 'ServerlessFunction', 'wrong')) as Observed | undefined)?.status),
      )
      .toContain('do not call 127.0.0.1:3000: start them with HOMEOSTAT_SERVERLESS_HOSTS=127.0.0.1:3000')
  })
})

describe('the address of a function', () => {
  it.each([
    ['https://functions.example/x', true],
    ['https://functions.example:443/x', true],
    ['https://functions.example:8443/x', false],
    ['https://functions.example.evil/x', false],
    ['https://u:p@functions.example/x', false],
    ['http://10.0.0.7:81/x', true],
    ['file:///etc/passwd', false],
    ['', false],
  ])('%s is allowed: %s', (url, allowed) => {
    expect(typeof functionTarget({ url }, ['functions.example', '10.0.0.7:*'])).toBe(allowed ? 'object' : 'string')
  })
})

describe('the answer of a function', () => {
  it.each([
    [{ status: 200, contentType: 'application/json', body: '[1]' }, { output: [1] }],
    [{ status: 204, contentType: '', body: '' }, { output: '' }],
    [{ status: 200, contentType: 'text/plain', body: 'ok' }, { output: 'ok' }],
    [{ status: 200, contentType: 'application/problem+json; charset=utf-8', body: '{' }, { again: false }],
    [
      { status: 429, contentType: '', body: '' },
      { again: true, error: 'the function answered 429' },
    ],
    [
      { status: 500, contentType: '', body: 'oh' },
      { again: true, error: 'the function answered 500: oh' },
    ],
    [{ status: 403, contentType: '', body: '' }, { again: false }],
  ])('%j means %j', (answer, meaning) => {
    expect(meaningOf(answer)).toMatchObject(meaning)
  })
})
