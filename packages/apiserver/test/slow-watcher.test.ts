import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { CONFIG_MAPS, configMap, NOTES, note, notes } from './definitions.ts'
import { serveForTest } from './server.ts'

it('ends a watcher that does not read at a bounded buffer, and loses nothing when it resumes', async () => {
  const server = await serveForTest()
  const from = await server.store.revision()
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  socket.write(`GET ${CONFIG_MAPS}?watch=1&resourceVersion=${from} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const data = { text: 'x'.repeat(512 << 10) }
  const wrote: string[] = []
  for (let i = 0; !(await endedSlowly()); i++) {
    expect(i).toBeLessThan(100)
    const { body } = await server.post(CONFIG_MAPS, configMap(`big-${i}`, data))
    wrote.push(body.metadata.resourceVersion)
  }
  const { body } = await server.post(CONFIG_MAPS, configMap('last'))
  wrote.push(body.metadata.resourceVersion)

  const seen = versionsIn(await readAll())
  expect(seen).toEqual(wrote.slice(0, seen.length))
  expect(seen.length).toBeLessThan(wrote.length)
  const changes = await server.watch(`${CONFIG_MAPS}?resourceVersion=${seen.at(-1) ?? from}`)
  while (seen.length < wrote.length) seen.push((await changes.next()).object.metadata.resourceVersion)
  expect(seen).toEqual(wrote)

  async function endedSlowly(): Promise<boolean> {
    return /reason="slow"[^\n]* 1\n/.test((await server.get('/metrics')).text)
  }

  function readAll(): Promise<string> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let end = ''
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        end = (end + chunk.toString('latin1')).slice(-7)
        if (end.endsWith('\r\n0\r\n\r\n')) socket.destroy()
      })
      socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
      socket.resume()
    })
  }
})

it('brings a watcher up to date in one stream, however much it missed', async () => {
  const server = await serveForTest()
  const from = await server.store.revision()
  const wrote: string[] = []
  for (let i = 0; i < 40; i++) {
    const { body } = await server.post(CONFIG_MAPS, configMap(`big-${i}`, { text: 'x'.repeat(512 << 10) }))
    wrote.push(body.metadata.resourceVersion)
  }
  for (const query of [`?resourceVersion=${from}`, `?resourceVersion=${wrote[25]}`, '']) {
    const changes = await server.watch(`${CONFIG_MAPS}${query}`)
    const seen = await changes.until(({ object }) => object.metadata.name === (query === '' ? 'big-9' : 'big-39'))
    expect(seen.length).toBe(query.endsWith(`=${wrote[25]}`) ? 14 : 40)
    const { body } = await server.post(CONFIG_MAPS, configMap(`after-${seen.length}-${query.length}`))
    const [last] = (await changes.until(({ object }) => object.metadata.name === body.metadata.name)).slice(-1)
    expect(last?.object).toEqual(body)
    await server.delete(`${CONFIG_MAPS}/${body.metadata.name}`)
  }
})

it('ends a reader of server-sent events likewise, who goes on from the last id', async () => {
  const server = await serveForTest()
  await server.define(notes)
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  const opened = new Promise((resolve) => socket.once('readable', resolve))
  socket.write('GET /watch HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await opened
  const wrote: string[] = []
  for (let i = 0; i < 40; i++) {
    const { body } = await server.post(NOTES, note(`big-${i}`, { text: 'x'.repeat(512 << 10) }))
    wrote.push(body.metadata.resourceVersion)
  }
  const text = await new Promise<string>((resolve) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (chunk.subarray(-7).toString().endsWith('0\r\n\r\n')) socket.destroy()
    })
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
    socket.resume()
  })
  const seen = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id = '']) => id)
  expect(seen.length).toBeGreaterThan(0)
  expect(seen).toEqual(wrote.slice(0, seen.length))
  expect(seen.length).toBeLessThan(wrote.length)
  const abort = new AbortController()
  const last = { 'last-event-id': seen.at(-1) ?? '' }
  const response = await fetch(`${server.url}/watch`, { headers: last, signal: abort.signal })
  let rest = ''
  for await (const chunk of response.body ?? []) {
    rest += Buffer.from(chunk as Uint8Array).toString()
    if (rest.endsWith('\n\n') && rest.includes(`id: ${wrote.at(-1)}`)) break
  }
  abort.abort()
  expect([...seen, ...[...rest.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)]).toEqual(wrote)
})

/** The versions of the whole events in a raw stream of chunks. */
function versionsIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [
        (JSON.parse(line) as { object: { metadata: { resourceVersion: string } } }).object.metadata.resourceVersion,
      ]
    } catch {
      return []
    }
  })
}
