import { silentLog } from '@homeostat/base'
import type { Process, ProcessOutcome } from '@homeostat/executor'
import { expect, it } from 'vitest'
import { Concluder } from '../src/handlers/conclude.ts'
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
  const children = new ResourceChildren(async () => client, AbortSignal.timeout(120_000))
  const concluder = new Concluder({ api, clock: colony.clock, kinds, children, processes: running.processes })
  await colony.user.create(DATABASES, database())
  const process = await colony.take()
  const conclude = (finished: Partial<ProcessOutcome> = {}, other: Process = process) => {
    const { name = '' } = other.metadata
    return concluder.conclude(other, { process: name, attempt: 1, result: 'Succeeded', ...finished })
  }
  const revision = () => colony.user.object(DATABASES, { namespace: 'dev', name: 'orders' })?.revision
  return { ...colony, process, conclude, revision }
}

const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'child' } }

it('what was said of a resource can be said again', async () => {
  const { conclude, revision, get, finish, process, untilCondition } = await interrupted()
  const finished = { status: { phase: 'Running', conditions: [{ type: 'Up', status: 'True' }] }, children: [child] }
  await conclude(finished)
  const before = revision()
  expect(get()?.status).toMatchObject({ phase: 'Running', observedGeneration: 1, inventory: [{ name: 'child' }] })
  expect(await conclude(finished)).toEqual({ keep: true })
  expect(revision()).toBe(before)
  expect((await finish(process, finished)).status).toBe(200)
  await untilCondition('Ready', 'True/Reconciled')
  expect(revision()).toBe(before)
})

it('nothing is said of a resource that was made anew', async () => {
  const { conclude, process, get, revision } = await interrupted()
  const kwargs = structuredClone(process.spec.kwargs) as { metadata: { uid: string } }
  kwargs.metadata.uid = 'another'
  const labels = { ...process.metadata.labels, 'colonies.io/resource-uid': 'another' }
  const other = { ...process, metadata: { ...process.metadata, labels }, spec: { ...process.spec, kwargs } }
  const before = revision()
  expect(await conclude({ status: { phase: 'Old' } }, other)).toEqual({ keep: true })
  expect(revision()).toBe(before)
  expect(get()?.status ?? {}).not.toHaveProperty('phase')
})

it('a run of a generation that has passed says so', async () => {
  const { conclude, change, get, untilWaiting, untilCondition } = await interrupted()
  await change((object) => {
    object.spec = { engine: 'mysql' }
  })
  await untilWaiting()
  await conclude({ status: { phase: 'Old' } })
  expect(get()?.status).toMatchObject({ phase: 'Old', observedGeneration: 1 })
  expect(await untilCondition('Progressing', 'True/Reconciling')).toMatchObject({ observedGeneration: 2 })
})
