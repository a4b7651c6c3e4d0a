// Check 28: generation history shows each spec change with who and when, any generation can be shown and rolled back to, status
// updates add no entry, and forced reconcile and doctor --fix work.

import { silentLog } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { executor } from '@homeostat/executor'
import { expect, onTestFinished, test } from 'vitest'
import { colonyServer } from './colony-server.ts'
import { runCommand } from './command.ts'

const LAMP = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: 'lamps.check.io',
    annotations: { 'colonies.io/handler': '{"executorType":"lamps","functionName":"light"}' },
  },
  spec: {
    group: 'check.io',
    scope: 'Namespaced',
    names: { kind: 'Lamp', plural: 'lamps', singular: 'lamp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

test('check 28', async () => {
  const { client, url } = await colonyServer()
  const homeostat = (...words: string[]) => runCommand([...words, '--server', url])
  await client.resource('apiextensions.k8s.io/v1', 'CustomResourceDefinition').create(LAMP)
  await expect.poll(() => client.discover('check.io/v1', 'Lamp')).toBeDefined()
  const lamps = client.resourceOf<typeof LAMP & { status?: object }>('check.io/v1', 'Lamp')
  const desk = { name: 'desk', namespace: 'default' }
  const lit: boolean[] = []
  const light = ({ kwargs, status }: { kwargs: Record<string, unknown>; status(fields: object): void }) => {
    lit.push(kwargs.force === true)
    status({ lit: lit.length })
  }
  const running = executor({ client, type: 'lamps', name: 'lamps', functions: { light }, log: silentLog, drain: '0s' })
  onTestFinished(() => running.close())
  await lamps.create({ metadata: desk, spec: { size: 1 } } as object, { fieldManager: 'ada' })
  for (const size of [2, 3]) await lamps.patch(desk, { spec: { size } }, { fieldManager: 'ada' })
  const generation = async () => ((await lamps.get(desk)).status as { observedGeneration?: number })?.observedGeneration
  await expect.poll(generation).toBe(3)

  const history = await homeostat('history', 'lamp', 'desk')
  const rows = history.out.trim().split('\n').slice(1)
  expect(rows).toHaveLength(3)
  for (const [index, row] of rows.entries()) {
    expect(row).toMatch(new RegExp(`^${index + 1} +(created|updated).* +system:admin +ada +.*Z`))
  }
  expect((await homeostat('history', 'lamp', 'desk', '--generation', '2')).out).toContain('size: 2')
  expect((await homeostat('rollback', 'lamp', 'desk', '--to', '1')).code).toBe(0)
  expect(await lamps.get(desk)).toMatchObject({ metadata: { generation: 4 }, spec: { size: 1 } })
  await expect.poll(generation).toBe(4)

  lit.length = 0
  expect((await homeostat('resource', 'reconcile', 'desk', '-n', 'default', '--force')).code).toBe(0)
  await expect.poll(() => lit).toEqual([true])

  const executors = client.resourceOf<ApiObject>('colonies.io/v1', 'Executor')
  const gone = { name: 'gone', namespace: 'default' }
  await executors.create({ metadata: gone, spec: { type: 'lamps' } } as object)
  await executors.status.patch(gone, { status: { phase: 'Lost' } })
  const found = await homeostat('doctor')
  expect(found).toMatchObject({ code: 1, out: expect.stringContaining('[WARN] executor default/gone (lamps) is lost') })
  expect((await homeostat('doctor', '--fix')).out).toContain('[FIXED] executor default/gone was lost and is deleted')
  expect(await executors.find(gone)).toBeUndefined()
})
