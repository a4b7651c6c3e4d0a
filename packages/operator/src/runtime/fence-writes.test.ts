import { silentLog } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, stage } from './operate.fixture.ts'

it('a process that finds that its term is over sends no write, in whatever way it writes', async () => {
  const { operate, widget, find } = await stage()
  const term = new AbortController()
  let isLate = false
  const leadership = {
    get leading() {
      // As the elector does: the term ends when somebody looks, since no timer has run yet.
      if (isLate) term.abort(new Error('late'))
      return !isLate
    },
    lead: async (signal?: AbortSignal) => {
      if (!isLate) return term.signal
      return new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    },
    close: async () => {},
  }
  const ended: string[] = []
  const writing = controller('example.com/v1', 'Widget', async (run) => {
    await run.apply({ ...CONFIG_MAP, metadata: { name: 'first' } })
    isLate = true
    const manifest = { ...CONFIG_MAP, metadata: { name: 'raw', namespace: 'default' } }
    await run.client
      .resource('v1', 'ConfigMap')
      .create(manifest)
      .catch((error: unknown) => ended.push(String(error)))
    await run.apply({ ...CONFIG_MAP, metadata: { name: 'second' } }).finally(() => ended.push('applied or refused'))
  })
  const running = await operate(writing, { leadership, log: silentLog })
  await widget('a')
  await eventually(() => ended.length === 2)
  await running.close()
  expect(ended[0]).toContain('this process may no longer act: nothing was sent')
  expect([await find('ConfigMap', 'raw'), await find('ConfigMap', 'second')]).toEqual([undefined, undefined])
  expect(running.writes).toHaveLength(1)
})
