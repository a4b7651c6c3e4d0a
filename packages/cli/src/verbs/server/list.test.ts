import { startApiServer } from '@homeostat/apiserver'
import { MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { fakeTerminal, runOn } from '../../terminal.fixture.ts'

async function serve(store: MemoryStore, id: string) {
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: 0,
    rolesLater: true,
    member: { id, address: `https://${id}.test:6443` },
  })
  onTestFinished(() => server.close())
  return { server, url: `http://127.0.0.1:${server.address.port}` }
}

const list = (url: string) => runOn(fakeTerminal(), ['server', 'list', '--server', url])

test('servers of one store are listed with their addresses and duties; one that drains says so', async () => {
  const store = new MemoryStore({ shared: true })
  onTestFinished(() => store.close())
  const first = await serve(store, 'one')
  const second = await serve(store, 'two')
  await expect.poll(async () => (await list(second.url)).out).toMatch(/controllers/)
  const { out } = await list(first.url)
  expect(out).toMatch(/^NAME +ADDRESS +PHASE +LAST-SEEN +DUTIES$/m)
  expect(out).toMatch(/^one +https:\/\/one\.test:6443 +Online /m)
  expect(out).toMatch(/^two +https:\/\/two\.test:6443 +Online /m)
  second.server.drain()
  await expect.poll(async () => (await list(first.url)).out).toMatch(/^two .* Draining /m)
  await expect.poll(async () => (await list(first.url)).out).toMatch(/^one .*controllers/m)
})

test('a server that is alone says so', async () => {
  const store = new MemoryStore()
  onTestFinished(() => store.close())
  const { url } = await serve(store, 'one')
  expect((await list(url)).error).toContain('the only one')
})
