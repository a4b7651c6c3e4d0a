// Another program deletes an object as often as the operator creates it.

import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { LooseObject } from '@homeostat/client'
import { expect, it } from 'vitest'
import { controller } from '../controller.ts'
import { CONFIG_MAP, conditionOf, definition, NAMESPACE, stage } from '../runtime/operate.fixture.ts'
import type { ReconcileContext } from '../runtime/reconcile-context.ts'

const MAPS = 'PATCH /api/v1/namespaces/default/configmaps/a'
const named = { name: 'a', namespace: NAMESPACE }

/** A widget has a ConfigMap of its name, unless its spec says to delete it. */
const withMap = {
  ...controller('example.com/v1', 'Widget', async (run: ReconcileContext<LooseObject>) => {
    if (run.object.spec?.none === true) await run.remove({ ...CONFIG_MAP, ...named })
    else await run.apply({ ...CONFIG_MAP, metadata: named, data: { a: 'b' } })
  }),
  definition: definition('Widget'),
}

it('is a fight after three times: it is made ever more seldom, and the object says so', async () => {
  const { operate, widget, find, delete: remove } = await stage()
  const clock = new ManualClock(Date.now())
  const operator = await operate(withMap, { clock })
  await widget('a')
  for (const _ of [1, 2, 3]) {
    await eventually(() => find('ConfigMap', 'a'))
    await remove('ConfigMap', 'a')
  }
  const held = await eventually(async () => {
    const found = await find('Widget', 'a')
    return conditionOf(found, 'Ready') === 'False DeletedByOther' && found
  })
  expect(conditionOf(held, 'Fighting')).toBe('True DeletedByOther')
  expect(held.status?.conditions?.[0]?.message).toContain(
    'ConfigMap a is made by test and deleted by somebody else, again and again.',
  )
  await operator.idle()
  const sent = () => operator.writes.filter((write) => write === MAPS)
  expect(sent()).toHaveLength(3)
  clock.advance(1000)
  await eventually(() => find('ConfigMap', 'a'))
  await eventually(async () => conditionOf(await find('Widget', 'a'), 'Ready') === 'True Reconciled')
  expect(sent()).toHaveLength(4)
})

it('is none when the operator deletes it itself', async () => {
  const { operate, widget, find, merge } = await stage()
  await operate(withMap, { clock: new ManualClock(Date.now()) })
  await widget('a')
  for (const _ of [1, 2, 3, 4]) {
    await eventually(() => find('ConfigMap', 'a'))
    await merge('Widget', 'a', { spec: { none: true } })
    await eventually(async () => (await find('ConfigMap', 'a')) === undefined)
    await merge('Widget', 'a', { spec: { none: null } })
  }
  await eventually(() => find('ConfigMap', 'a'))
  expect(conditionOf(await find('Widget', 'a'), 'Fighting')).toBeUndefined()
})
