import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, definition, NOTES, note, notes, PLANETS, planet, planets } from './definitions.ts'
import { DEFINITIONS } from './server.ts'
import { serveUnblocked } from './server-aside.ts'

const server = await serveUnblocked()
await server.define(notes)
await server.define(planets)
const YAML = { type: 'application/yaml' }
const MAX_BODY = 3 << 20

describe('a body that is too large', () => {
  it('is refused by what it says of itself', async () => {
    const { status, body } = await server.post(CONFIG_MAPS, ' '.repeat(MAX_BODY + 1))
    expect(status).toBe(413)
    expect(body).toMatchObject({ reason: 'RequestEntityTooLarge', message: expect.stringContaining('3145728') })
  })

  it('is refused when it comes in chunks without end', async () => {
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, ' '), Buffer.from('\r\n')])
    const answer = await sendInPieces(
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`,
      Array.from({ length: 20 }, () => chunk),
    )
    expect(answer).toMatch(/^HTTP\/1.1 413 /)
    expect(answer).toContain('RequestEntityTooLarge')
  })

  it('is refused in words that a client can read which is still sending', async () => {
    const socket = connect(server.port, '127.0.0.1')
    const failed: Error[] = []
    socket.on('error', (error) => failed.push(error))
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, ' '), Buffer.from('\r\n')])
    const write = () => new Promise((resolve) => socket.write(chunk, resolve))
    socket.write(`POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const answered = once(socket, 'data')
    for (let i = 0; i < 4; i++) await write()
    expect(String((await answered)[0])).toMatch(/^HTTP\/1.1 413 /)
    for (let i = 0; i < 4; i++) await write()
    const closed = once(socket, 'close')
    socket.end('0\r\n\r\n')
    await closed
    expect(failed).toEqual([])
  })

  it('is refused before it is sent, for a client that asks first', async () => {
    const answer = await sendInPieces(
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MAX_BODY + 1}\r\nExpect: 100-continue\r\n\r\n`,
      [],
    )
    expect(answer).toContain('HTTP/1.1 413 ')
  })

  it('is read up to the last allowed byte', async () => {
    const body = JSON.stringify(note('full', { text: '' }))
    const text = 'x'.repeat(1 << 20)
    expect((await server.post(NOTES, body.replace('""', `"${text}"`))).status).toBe(201)
    expect((await server.post(NOTES, body.padEnd(MAX_BODY, ' '))).status).toBe(409)
  })

  it('does not spoil the next request on its connection', async () => {
    const next = `GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    const refused = [
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MAX_BODY + next.length}\r\n\r\n`,
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${next.length}\r\n\r\n`,
      `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: evil.example\r\nContent-Length: ${next.length}\r\n\r\n`,
      `PUT /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${next.length}\r\n\r\n`,
    ]
    for (const head of refused) {
      // The body looks like a request; it must never be answered as one.
      const answer = await server.raw(`${head}${next}${next}`)
      expect(answer, head).not.toMatch(/^HTTP\/1.1 200/)
      expect(answer.match(/"gitVersion"/g)?.length ?? 0, head).toBeLessThanOrEqual(1)
    }
  })
})

it('a small body that is refused unread costs no connection', async () => {
  const refused = `POST ${CONFIG_MAPS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello`
  const next = 'GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const answers = await server.raw(refused + refused + next)
  expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 415', 'HTTP/1.1 415', 'HTTP/1.1 200'])
})

describe('JSON', () => {
  it('nested too deep is refused, and as deep as people go is not', async () => {
    const nested = (depth: number) =>
      JSON.stringify(note(`deep-${depth}`, { a: 0 })).replace('0}', `${'['.repeat(depth)}${']'.repeat(depth)}}`)
    expect((await server.post(NOTES, nested(500))).status).toBe(201)
    for (const depth of [5000, 100_000, 1_000_000]) {
      const { status, body } = await server.post(NOTES, nested(depth))
      expect(status, String(depth)).toBe(400)
      expect(body.message).toContain('nested deeper')
    }
    expect(
      (await server.patch(`${NOTES}/deep-500`, nested(5000), { type: 'application/merge-patch+json' })).status,
    ).toBe(400)
  })

  it('keeps 64-bit integers as they are, everywhere', async () => {
    const big = '9223372036854775807'
    const small = '-9007199254740993'
    const { metadata } = (await server.get(NOTES)).body
    const changes = await server.watch(`${NOTES}?resourceVersion=${metadata.resourceVersion}`)
    const sent = JSON.stringify(note('int64', { big: 0, list: [0] })).replace(
      '"big":0,"list":[0]',
      `"big":${big},"list":[${small}]`,
    )
    const whole = `"big":${big},"list":[${small}]`
    expect((await server.post(NOTES, sent)).text).toContain(whole)
    expect((await server.get(`${NOTES}/int64`)).text).toContain(whole)
    expect((await server.get(`${NOTES}/int64?pretty=true`)).text).toContain(`"big": ${big}`)
    expect((await server.get(NOTES)).text).toContain(whole)
    expect((await server.get(`${NOTES}?labelSelector=!x&pretty=1`)).text).toContain(`"big": ${big}`)
    expect((await server.get(`${NOTES}/int64`, { accept: 'application/yaml' })).text).toContain(`big: ${big}\n`)
    expect((await server.get(NOTES, { accept: 'application/yaml' })).text).toContain(`- ${small}\n`)
    expect((await changes.line()) ?? '').toContain(whole)
    const merge = { type: 'application/merge-patch+json' }
    const patched = await server.patch(`${NOTES}/int64`, `{"spec":{"more":${small}}}`, merge)
    expect(patched.text).toContain(`${whole},"more":${small}`)
    expect((await changes.line()) ?? '').toContain(small)
    const operation = `[{"op":"test","path":"/spec/big","value":${big}},{"op":"add","path":"/spec/again","value":${big}}]`
    expect((await server.patch(`${NOTES}/int64`, operation, { type: 'application/json-patch+json' })).text).toContain(
      `"again":${big}`,
    )
    const same = await server.patch(`${NOTES}/int64`, `{"spec":{"big":${big}}}`, merge)
    const other = await server.patch(`${NOTES}/int64`, '{"spec":{"big":9223372036854775806}}', merge)
    expect(other.body.metadata.resourceVersion).not.toBe(same.body.metadata.resourceVersion)
    const yaml = `apiVersion: example.com/v1\nkind: Note\nmetadata: {name: int64-yaml}\nspec: {big: ${big}}\n`
    expect((await server.post(NOTES, yaml, YAML)).text).toContain(`"big":${big}`)
    expect((await server.delete(`${NOTES}?fieldSelector=metadata.name%3Dint64-yaml`)).text).toContain(`"big":${big}`)
    expect((await server.delete(`${NOTES}/int64?dryRun=All`)).status).toBe(200)
  })

  it('that holds a number no one can hold is refused', async () => {
    for (const number of ['1e400', '-1e400', '1e9999999'])
      expect(
        (await server.post(NOTES, JSON.stringify(note('huge', { n: 0 })).replace('"n":0', `"n":${number}`))).status,
        number,
      ).toBe(400)
    const beyond = await server.post(
      NOTES,
      JSON.stringify(note('beyond', { n: 0 })).replace('"n":0', '"n":92233720368547758080'),
    )
    expect(beyond.status).toBe(201)
    expect(beyond.body.spec.n).toBeCloseTo(2 ** 63 * 10, -6)
  })

  it('may not reach into prototypes', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const sent = `{"apiVersion":"example.com/v1","kind":"Note","metadata":{"name":"proto"},"spec":{"${key}":{"polluted":true},"x":1}}`
      const { status, text } = await server.post(`${NOTES}`, sent)
      expect(status === 400 || text.includes(`"${key}":{"polluted":true}`), `${key}: ${text}`).toBe(true)
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      await server.patch(`${NOTES}/proto`, `{"spec":{"${key}":{"polluted":true}}}`, {
        type: 'application/merge-patch+json',
      })
      await server.patch(`${NOTES}/proto`, [{ op: 'add', path: `/spec/${key}`, value: { polluted: true } }])
      await server.patch(`${NOTES}/proto`, [{ op: 'add', path: `/spec/${key}/polluted`, value: true }])
      await server.patch(`${NOTES}/proto`, [{ op: 'add', path: `/${key}/polluted`, value: true }])
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
      await server.delete(`${NOTES}/proto`)
      const labels = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto","labels":{"${key}":"x"}},"data":{"${key}":"y"}}`
      expect([201, 400, 422]).toContain((await server.post(CONFIG_MAPS, labels)).status)
      expect((await server.get(`${CONFIG_MAPS}?labelSelector=${key}`)).status).toBeLessThan(500)
      await server.delete(`${CONFIG_MAPS}/proto`)
      const yaml = `apiVersion: example.com/v1\nkind: Note\nmetadata: {name: proto}\nspec: {${key}: {polluted: true}}\n`
      expect((await server.post(NOTES, yaml, YAML)).status).toBeLessThan(500)
      await server.delete(`${NOTES}/proto`)
    }
    expect((await server.get('/apis/__proto__/constructor/toString')).status).toBe(404)
    expect((await server.get(`${NOTES}/__proto__`)).status).toBe(404)
    expect((await server.get(`${NOTES}?fieldSelector=constructor%3Dx`)).status).toBe(400)
  })

  it('with a key twice is reported, or refused, and the last one counts', async () => {
    const twice = '{"apiVersion":"example.com/v1","kind":"Note","metadata":{"name":"twice"},"spec":{"a":1,"a":2}}'
    expect((await server.post(`${NOTES}?fieldValidation=Strict`, twice)).body).toMatchObject({
      code: 400,
      message: expect.stringContaining('duplicate field "spec.a"'),
    })
    const { body, headers } = await server.post(NOTES, twice)
    expect(body.spec).toEqual({ a: 2 })
    expect(headers.get('warning')).toBe('299 - "duplicate field \\"spec.a\\""')
  })

  it('of fields that nobody knows, in any number, is pruned and warned of within bounds', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field${i}`, 1]))
    const { status, headers, body } = await server.post(PLANETS, planet('strange', unknown))
    expect(status).toBe(201)
    expect(body.spec).toEqual({})
    expect(headers.get('warning')).toContain('unknown field \\"spec.field0\\"')
    expect(headers.get('warning')?.length).toBeLessThan(8192)
    const strict = await server.post(`${PLANETS}?fieldValidation=Strict`, planet('strange', unknown))
    expect(strict.status).toBe(400)
    expect(strict.text.length).toBeLessThan(10_000)
  })

  it('patches of more than 10,000 operations are refused', async () => {
    await server.post(NOTES, note('patched', { n: 0 }))
    const operations = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ op: 'replace', path: '/spec/n', value: n }))
    expect((await server.patch(`${NOTES}/patched`, operations(10_001))).body).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
    })
    expect((await server.patch(`${NOTES}/patched`, operations(10_000))).body.spec).toEqual({ n: 9999 })
  })

  it('patches that copy themselves large are refused', async () => {
    await server.post(NOTES, note('grown', { a: 'x'.repeat(1000) }))
    const grow = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '/spec', path: `/spec/c${i}` }))
    const { status } = await server.patch(`${NOTES}/grown`, grow)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  })

  it('of half a million tiny values holds nobody up', async () => {
    const { status } = await server.post(NOTES, note('tiny', { list: Array.from({ length: 500_000 }, () => 1) }))
    expect([201, 413, 422]).toContain(status)
    await server.delete(`${NOTES}/tiny`)
  })
})

describe('regular expressions of a definition', () => {
  it('take time in proportion to the text, whatever they say', async () => {
    await server.define(
      definition({
        plural: 'regexes',
        kind: 'Regex',
        spec: {
          a: { type: 'string', pattern: '^(a+)+$' },
          b: { type: 'string', pattern: '(x+x+)+y' },
          c: { type: 'string', pattern: '^(?i)[[:alpha:]]+\\z' },
        },
      }),
    )
    const at = '/apis/example.com/v1/namespaces/default/regexes'
    const post = (spec: object) =>
      server.post(at, { apiVersion: 'example.com/v1', kind: 'Regex', metadata: { generateName: 'r-' }, spec })
    expect((await post({ a: `${'a'.repeat(20_000)}!` })).body.details.causes).toMatchObject([{ field: 'spec.a' }])
    expect((await post({ b: 'x'.repeat(2000) })).status).toBe(422)
    expect((await post({ a: 'aaa', c: 'AbC' })).status).toBe(201)
    expect((await post({ c: 'a1' })).status).toBe(422)
  })

  it('that RE2 does not know are refused', async () => {
    for (const pattern of ['(?=a)', '(a)\\1', '(', '[z-a]', 'a{2000}', '(?<!a)b']) {
      const { status, body } = await server.post(
        DEFINITIONS,
        definition({ plural: 'bads', spec: { a: { type: 'string', pattern } } }),
      )
      expect(status, pattern).toBe(422)
      expect(body.details.causes[0]?.field).toContain('pattern')
    }
  })
})

describe('a request line or header', () => {
  const get = (path: string, header = '') =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n`

  it('that is huge is refused', async () => {
    expect(await server.raw(get('/version', `X-Large: ${'x'.repeat(100_000)}\r\n`))).toMatch(/^HTTP\/1.1 431 /)
    expect(await server.raw(get(`/${'x'.repeat(100_000)}`))).toMatch(/^HTTP\/1.1 4(14|31) /)
  })

  it('that is broken is refused', async () => {
    for (const path of [`${NOTES}/%`, `${NOTES}/%zz`, `${NOTES}/%C3%28`, '/apis/%E0%A4%A'])
      expect(await server.raw(get(path)), path).toMatch(/^HTTP\/1.1 400 /)
    expect(await server.raw('NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(await server.raw(get(`${NOTES}/a`).replace('GET', 'SPROING'))).toMatch(/^HTTP\/1.1 400 /)
    expect(await server.raw('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
  })

  it('cannot name what no object can be called', async () => {
    for (const name of ['%2e%2e', '..', 'a%2Fb', '%00', 'a%20b', '%F0%9F%98%80']) {
      expect([404, 400], name).toContain((await server.get(`${NOTES}/${name}`)).status)
      expect((await server.put(`${NOTES}/${name}`, note('x'))).status, name).toBeGreaterThanOrEqual(400)
    }
    for (const name of ['..', '.', 'a/b', 'a%b', 'a\0b', 'x'.repeat(254)])
      expect((await server.post(NOTES, note(name))).status, name).toBe(422)
  })
})

it('a long list in any form lets others have their turn', async () => {
  await server.delete(CONFIG_MAPS)
  const data = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`key-${i}`, `some text ${i}`]))
  for (let i = 0; i < 1000; i += 100)
    await Promise.all(Array.from({ length: 100 }, (_, j) => server.post(CONFIG_MAPS, configMap(`c${i + j}`, data))))
  await server.blocked()
  const forms = ['application/yaml', 'application/json;as=Table;v=v1;g=meta.k8s.io', 'application/json']
  for (const accept of forms) expect((await server.get(`${CONFIG_MAPS}?pretty=1`, { accept })).text).toContain('c999')
})

it('many labels, selectors and columns are looked through quickly', async () => {
  await server.delete(PLANETS)
  const many = Array.from({ length: 2000 }, (_, i) => `k${i}!=v`).join(',')
  await server.post(PLANETS, planet('one'))
  expect((await server.get(`${PLANETS}?labelSelector=${encodeURIComponent(many)}`)).body.items).toHaveLength(1)
  const labels = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 'v']))
  expect((await server.post(CONFIG_MAPS, configMap('labelled', {}, { labels }))).status).toBe(201)
})

/** Writes piece by piece, ignoring the response, until the server closes the connection. */
function sendInPieces(head: string, pieces: readonly Buffer[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.on('error', (error) => (chunks.length > 0 ? undefined : reject(error)))
    socket.write(head)
    for (const piece of pieces) socket.write(piece)
  })
}
