// A server whose cache lacks a change of its shared store ends, instead of answering wrongly for as long as it runs.

import { ManualClock } from '@homeostat/base'
import { type Change, MemoryStore } from '@homeostat/store'
import { expect, onTestFinished, test } from 'vitest'
import { startApiServer } from '../src/server.ts'

/** Another server's write of one object does not come through. */
class LossyStore extends MemoryStore {
  lost = ''
  override async *changes(after: number, signal: AbortSignal): AsyncGenerator<readonly Change[], void, undefined> {
    for await (const changes of super.changes(after, signal)) {
      const rest = changes.filter(({ key }) => key !== this.lost)
      if (rest.length > 0) yield rest
    }
  }
}

test('it says so in its log, its metrics and its end', async () => {
  const store = new LossyStore({ shared: true })
  const clock = new ManualClock(Date.now())
  const lines: string[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (_more: unknown, text: string) => lines.push(text) } as never
  const server = await startApiServer({
    store,
    host: '127.0.0.1',
    port: undefined,
    clock,
    rolesLater: true,
    logger: log,
  })
  onTestFinished(async () => {
    await server.close()
    await store.close()
  })
  store.lost = 'core/configmaps/default/other'
  const value = { bytes: Buffer.from('{"metadata":{"resourceVersion":""}}'), gap: 32, metaEnd: 34 }
  const note = { time: 0, user: 'another server', manager: 'test' }
  await store.put(store.lost, value, undefined, note)
  // Until a later change comes through, the server knows that it is behind, and answers nothing wrong.
  await store.put('core/configmaps/default/later', value, undefined, note)
  await expect
    .poll(() => {
      clock.advance(60_000)
      return lines
    })
    .toContain('the cache differs from the store; the server ends, and reads all anew at its next start')
  await server.done
})
