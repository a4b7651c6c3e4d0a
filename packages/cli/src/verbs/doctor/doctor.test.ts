// doctor on a real server: what it finds, what --fix does, and its exit codes.

import { ManualClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runOn } from '../../terminal.fixture.ts'
import { handledDefinition, type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

test('a healthy server is all OK, and exits with 0', async () => {
  const { code, out, error } = await command.homeostat('doctor')
  expect(error, 'no warning of a deprecated kind').toBe('')
  expect(out.split('\n').filter((line) => line !== '' && !line.startsWith('[OK] '))).toEqual([])
  expect(out).toContain('[OK] server: ready')
  expect(out).toMatch(/\[OK\] the server's authority: its certificate ends in \d+ days/)
  expect(code).toBe(0)
})

test('a handler without executor is an error; a lost executor is removed by --fix', async () => {
  const handler = { executorType: 'lamp', functionName: 'reconcile_lamp' }
  await command.withInput(handledDefinition('Lamp', 'sick.io', handler), 'apply', '-f', '-')
  const lamp = { apiVersion: 'sick.io/v1', kind: 'Lamp', metadata: { name: 'desk', namespace: 'default' }, spec: {} }
  await command.withInput(lamp, 'apply', '-f', '-')
  const executors = command.client.resource('colonies.io/v1', 'Executor')
  const name = { name: 'old', namespace: 'default' }
  await executors.create({ metadata: name, spec: { type: 'other' } } as never)
  await executors.status.patch(name, { status: { phase: 'Lost' } })
  const found = await command.homeostat('doctor')
  expect(found.code).toBe(2)
  expect(found.out).toContain(
    '[ERROR] Lamp: no executor of the type lamp with the function reconcile_lamp is online in default, and 1 resource waits',
  )
  expect(found.out).toContain(
    '[WARN] executor default/old (other) is lost; start it again, or delete it (--fix does it)',
  )
  expect(found.out).toContain('nobody offers the function reconcile_lamp for the type lamp in default')
  const fixed = await command.homeostat('doctor', '--fix')
  expect(fixed.out).toContain('[FIXED] executor default/old was lost and is deleted')
  await expect(executors.get(name)).rejects.toMatchObject({ code: 404 })
  expect((await command.homeostat('doctor')).out).not.toContain('default/old')
})

test('a resource whose handler never ran is handed to it by --fix, which says so when there is still no Process', async () => {
  const { client, homeostat, withInput } = command
  const lab = { metadata: { name: 'none', namespace: 'lab' } }
  await withInput({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'lab' } }, 'apply', '-f', '-')
  const quotas = client.resourceOf<ApiObject & { status?: { hard?: object } }>('v1', 'ResourceQuota')
  await quotas.create({ ...lab, spec: { hard: { 'count/processes.colonies.io': '0' } } } as never)
  await expect.poll(async () => (await quotas.get(lab.metadata)).status?.hard).toBeDefined()
  const handler = { executorType: 'bulb', functionName: 'reconcile_bulb' }
  await withInput(handledDefinition('Bulb', 'sick.io', handler), 'apply', '-f', '-')
  let runs = 0
  await command.executor('lab', 'bulb', { reconcile_bulb: () => void runs++ })
  const bulb = { apiVersion: 'sick.io/v1', kind: 'Bulb', metadata: { name: 'desk', namespace: 'lab' }, spec: {} }
  await withInput(bulb, 'apply', '-f', '-')
  const events = client.resourceOf<ApiObject & { reason?: string }>('v1', 'Event')
  const reasons = async () => (await events.list({ namespace: 'lab' })).items.map(({ reason }) => reason)
  await expect.poll(reasons).toContain('ProcessRefused')

  const behind =
    'Bulb lab/desk: generation 1 is not reconciled and no Process is under way; homeostat resource reconcile desk -n lab'
  expect((await homeostat('doctor')).out).toContain(`[WARN] ${behind} (--fix does it)`)
  const clock = new ManualClock(Date.now())
  let ended = false
  const fixing = runOn(command.terminal({ clock }), ['doctor', '--fix']).finally(() => {
    ended = true
  })
  while (!ended) {
    clock.advance(200)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const refused = await fixing
  expect(refused.code).toBe(2)
  expect(refused.out).toContain(
    '[ERROR] Bulb lab/desk: its handler was asked again, but there is no Process for it; its Process was refused: ',
  )
  expect(runs).toBe(0)

  await quotas.delete(lab.metadata)
  const { out } = await homeostat('doctor', '--fix')
  // The queue tries again by itself, too, and may have been first.
  if (runs === 0) expect(out).toContain('[FIXED] Bulb lab/desk was handed to its handler again')
  await expect.poll(() => runs).toBeGreaterThan(0)
  await expect
    .poll(async () => (await homeostat('doctor')).out)
    .toContain('[OK] Bulb: bulb/reconcile_bulb has 1 executor')
})
