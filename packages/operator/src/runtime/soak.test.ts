// Checks for leaks: after objects are created, changed and deleted in any order, every side table is empty.

import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, definition, stage } from './operate.fixture.ts'

describe('an operator under churn', () => {
  it('ends with what it began with', async () => {
    const { operate, widget, merge, find, delete: remove } = await stage()
    const forgotten: string[] = []
    const churned = {
      ...controller('example.com/v1', 'Widget', {
        async reconcile(run) {
          const { name = '', uid = '' } = run.object.metadata
          await run.read({ ...CONFIG_MAP, name: `settings-${name}` })
          await run.readAll(CONFIG_MAP, { labels: { of: name } })
          const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name, uid }
          const metadata = { name: `child-${name}`, ownerReferences: [owner] }
          await run.apply({ ...CONFIG_MAP, metadata, data: { size: String(run.object.spec?.size) } })
          run.patchStatus({ url: `http://${name}` })
          if (Number(run.object.spec?.size) % 3 === 0) throw new Error('every third fails')
          return { requeueAfter: '1h' }
        },
        async cleanup() {},
        needsCleanup: async (run) => Number(run.object.spec?.size) % 2 === 0,
        forget: ({ name }) => void forgotten.push(name),
      }),
      definition: definition('Widget'),
    }
    const operator = await operate(churned, { backoff: { min: '5ms', max: '50ms' } })
    await operator.idle()
    const before = operator.sizes()
    for (let round = 0; round < 4; round++) {
      const names = Array.from({ length: 25 }, (_, index) => `w${index}`)
      await Promise.all(names.map((name, index) => widget(name, { spec: { size: index } })))
      await Promise.all(
        names.filter((_, index) => index % 2 === 0).map((name) => merge('Widget', name, { spec: { size: 7 } })),
      )
      // In some rounds all objects are reconciled before they are deleted, in others they are deleted meanwhile.
      const runs = operator.runs + round * 10
      await eventually(() => operator.runs >= runs)
      await Promise.all(names.map((name) => remove('Widget', name)))
      await eventually(async () => (await Promise.all(names.map((name) => find('Widget', name)))).every((one) => !one))
    }
    await eventually(async () => {
      const caches = operator.caches().find(({ kind }) => kind === 'ConfigMap')
      return caches?.list('default').every(({ metadata }) => !metadata.name?.startsWith('child-'))
    })
    await operator.idle()
    await eventually(() => JSON.stringify(operator.sizes()) === JSON.stringify(before))
    expect(before).toEqual({ queued: 0, busy: 0, delayed: 0, states: 0, readers: 0, reads: 0, sent: 0 })
    expect(new Set(forgotten).size).toBe(25)
    expect(operator.caches()[0]?.size).toBe(0)
  })
})
