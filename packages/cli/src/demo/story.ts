// The steps of the demonstration, one function each, in order. Each prints what it did and checks the result.

import type { Process } from '@homeostat/executor/protocol'
import { RECONCILE_ANNOTATION } from '@homeostat/executor/protocol'
import { writeJson } from '@homeostat/meta'
import type { Runtime } from '@homeostat/runtimes'
import { Fault } from '../fault.ts'
import { COLONY, definition, handler, resource } from './documents.ts'
import type { Narrator } from './narrator.ts'
import type { Stage } from './stage.ts'

export interface Story extends Narrator {
  readonly stage: Stage
  /** The runtime of the executors; undefined before the controller has opened it. */
  runtime(): Runtime | undefined
  startController(): Promise<void>
}

const NAME = resource.metadata.name

export const steps: readonly ((story: Story) => Promise<void>)[] = [
  registration,
  creation,
  processInQueue,
  reconcile,
  status,
  work,
  moreReplicas,
  fewerReplicas,
  healing,
  deletion,
]

async function registration({ step, tick, stage }: Story): Promise<void> {
  step('Register the definition')
  const { spec, metadata } = definition
  await stage.client.resourceOf(definition.apiVersion, definition.kind).create(definition)
  const apiVersion = `${spec.group}/${spec.version}`
  await stage.until('the definition being served', () => stage.client.discover(apiVersion, spec.names.kind))
  tick(`${metadata.name}: ${spec.names.kind} is served in ${apiVersion}`)
  tick(`its resources are handled by ${handler.functionName} of executors of type ${handler.executorType}`)
}

async function creation({ step, tick, stage }: Story): Promise<void> {
  const { spec, kind } = resource
  step(`Create a resource that asks for ${spec.replicas} executors of type ${spec.executorType}`)
  await stage.deployments.create(resource)
  tick(`${kind}/${NAME} created in the colony ${COLONY}`)
  const refused = await stage.deployments
    .patch(resource.metadata, { spec: { replicas: 'many' } })
    .then(() => undefined)
    .catch((error: Error) => error.message)
  if (refused === undefined) throw new Fault('the demonstration stops here: replicas: "many" was accepted')
  tick('replicas: "many" would be refused: it does not fit the schema')
}

async function processInQueue({ step, tick, stage }: Story): Promise<void> {
  step('The server puts a process into the queue')
  const { metadata, spec } = await stage.until('a process in the queue', async () =>
    (await stage.processes()).find((process) => process.status.phase === 'Waiting'),
  )
  tick(`${metadata.name} waits for ${spec.conditions.executorType}: ${spec.funcName}`)
  tick(`its kwargs are the whole resource: ${Object.keys(spec.kwargs ?? {}).join(', ')}`)
}

async function reconcile({ step, tick, stage, startController, runtime }: Story): Promise<void> {
  step('Start the controller: it takes the process and reconciles')
  await startController()
  await stage.running(3)
  tick(`3 processes of this machine run: ${(await pids(runtime())).join(', ')}`)
}

async function status({ step, tick, stage }: Story): Promise<void> {
  step('Look at the status')
  const { status: shown } = await stage.running(3)
  tick(`phase ${shown?.phase}, ready ${shown?.ready}`)
  tick(`deployedExecutors: ${shown?.deployedExecutors?.join(', ')}`)
  await stage.online(resource.spec.executorType, 3)
  tick('they are executors of the colony, and online')
}

async function work({ step, tick, stage }: Story): Promise<void> {
  step('Give them work')
  const processes = stage.client.resourceOf<Process>('colonies.io/v1', 'Process')
  const { metadata } = await processes.create({
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata: { generateName: 'hello-', namespace: COLONY },
    spec: { funcName: 'echo', args: ['hello'], conditions: { executorType: resource.spec.executorType } },
  })
  const where = { name: metadata.name ?? '', namespace: COLONY }
  const done = await stage.until('the end of a process', async () => {
    const now = await processes.get(where)
    return now.status.finishedAt === undefined ? undefined : now
  })
  if (done.status.phase !== 'Succeeded') throw new Fault(`the demonstration stops here: echo: ${done.status.errors}`)
  tick(`${done.status.executor} answered ${writeJson(done.status.output)}`)
}

async function moreReplicas({ step, tick, stage, runtime }: Story): Promise<void> {
  step('replicas: 5')
  const before = await pids(runtime())
  await stage.scale(5)
  await stage.running(5)
  const added = (await pids(runtime())).filter((pid) => !before.includes(pid))
  expectCount(added, 2, 'started')
  tick(`exactly two were started: ${added.join(', ')}`)
}

async function fewerReplicas({ step, tick, stage, runtime }: Story): Promise<void> {
  step('replicas: 1')
  const before = await pids(runtime())
  await stage.scale(1)
  await stage.running(1)
  const left = await pids(runtime())
  const ended = before.filter((pid) => !isAlive(pid))
  expectCount(ended, 4, 'stopped')
  tick(`exactly four were stopped: ${ended.join(', ')}; ${left.join(', ')} goes on`)
}

async function healing({ step, tick, stage, runtime, quote }: Story): Promise<void> {
  step('Kill the last one by hand')
  const [victim = 0] = await pids(runtime())
  process.kill(victim, 'SIGKILL')
  await stage.until('the end of a killed process', async () =>
    (await pids(runtime())).length === 0 ? true : undefined,
  )
  tick(`${victim} was killed`)
  quote(`homeostat resource reconcile ${NAME} -n ${COLONY}   (or wait: every ${handler.reconcileInterval} s)`)
  const annotations = { [RECONCILE_ANNOTATION]: new Date().toISOString() }
  await stage.deployments.patch(resource.metadata, { metadata: { annotations } })
  const [healed] = await stage.until('a new process', async () => {
    const now = await pids(runtime())
    return now.length === 1 ? now : undefined
  })
  await stage.idle()
  tick(`${healed} runs in its place`)
}

async function deletion({ step, tick, stage, runtime }: Story): Promise<void> {
  step('Delete the resource')
  const last = await pids(runtime())
  await stage.deployments.delete(resource.metadata)
  await stage.until('the end of the resource', async () =>
    (await stage.deployment()) === undefined ? true : undefined,
  )
  tick(`${resource.kind}/${NAME} is gone, after the controller had cleaned up`)
  const left = [...(await pids(runtime())), ...last.filter(isAlive)]
  if (left.length > 0) throw new Fault(`the demonstration stops here: ${left.join(', ')} still run`)
  await stage.online(resource.spec.executorType, 0)
  tick('no process is left, and no executor of the type')
}

async function pids(runtime: Runtime | undefined): Promise<number[]> {
  const units = (await runtime?.list({})) ?? []
  return units
    .flatMap(({ phase, pid }) => (phase === 'running' && pid !== undefined ? [pid] : []))
    .sort((a, b) => a - b)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function expectCount(found: readonly number[], count: number, what: string): void {
  if (found.length !== count)
    throw new Fault(`the demonstration stops here: ${found.length} were ${what}, not ${count}`)
}
