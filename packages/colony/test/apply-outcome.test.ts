import { silentLog } from '@homeostat/base'
import type { Process, ProcessOutcome } from '@homeostat/executor'
import { expect, it } from 'vitest'
import { OutcomeApplier } from '../src/handlers/apply-outcome.ts'
import { HandledKinds } from '../src/handlers/handled-kinds.ts'
import { ResourceChildren } from '../src/handlers/resource-children.ts'
import { DATABASES, database, handledColony } from './handled.fixture.ts'

/** Concludes without the close that follows: as if the server had been killed in between. */
async function interrupted() {
  const colony = await handledColony()
  const { api, client, colony: running } = colony.colony
  const kinds = new HandledKinds(api, silentLog, {
    kind() {},
    object() {},
    unhandled() {},
  })
  kinds.open()
  const children = new ResourceChildren({
    client: async () => client,
    clientAs: () => Promise.reject(new Error('the administrator needs no other client')),
    signal: AbortSignal.timeout(120_000),
  })
  const applier = new OutcomeApplier({ api, clock: colony.clock, kinds, children, processes: running.processes })
  await colony.user.create(DATABASES, database())
  const process = await colony.take()
  const apply = (reported: Partial<ProcessOutcome> = {}, other: Process = process) => {
    const { name = '' } = other.metadata
    const user = { username: 'system:admin', groups: ['system:masters'] }
    return applier.apply(other, { process: name, attempt: 1, result: 'Succeeded', ...reported }, user)
  }
  const revision = () => colony.user.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision
  return { ...colony, process, apply, revision }
}

const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child' } }

it('an outcome can be applied twice', async () => {
  const { apply, revision, get, finish, process, untilCondition } = await interrupted()
  const reported = { status: { phase: 'Running', conditions: [{ type: 'Up', status: 'True' }] }, children: [child] }
  await apply(reported)
  const before = revision()
  expect(get()?.status).toMatchObject({ phase: 'Running', observedGeneration: 1, inventory: [{ name: 'child' }] })
  expect(await apply(reported)).toEqual({ keep: true })
  expect(revision()).toBe(before)
  expect((await finish(process, reported)).status).toBe(200)
  await untilCondition('Ready', 'True/Reconciled')
  expect(revision()).toBe(before)
})

it('the outcome for a deleted resource does not touch a new one of its name', async () => {
  const { apply, process, get, revision } = await interrupted()
  const kwargs = structuredClone(process.spec.kwargs) as { metadata: { uid: string } }
  kwargs.metadata.uid = 'another'
  const labels = { ...process.metadata.labels, 'colonies.io/resource-uid': 'another' }
  const other = { ...process, metadata: { ...process.metadata, labels }, spec: { ...process.spec, kwargs } }
  const before = revision()
  expect(await apply({ status: { phase: 'Old' } }, other)).toEqual({ keep: true })
  expect(revision()).toBe(before)
  expect(get()?.status ?? {}).not.toHaveProperty('phase')
})

it('the outcome of an older generation is written as that', async () => {
  const { apply, change, get, untilWaiting, untilCondition } = await interrupted()
  await change((object) => {
    object.spec = { engine: 'mysql' }
  })
  await untilWaiting()
  await apply({ status: { phase: 'Old' } })
  expect(get()?.status).toMatchObject({ phase: 'Old', observedGeneration: 1 })
  expect(await untilCondition('Progressing', 'True/Reconciling')).toMatchObject({ observedGeneration: 2 })
})
