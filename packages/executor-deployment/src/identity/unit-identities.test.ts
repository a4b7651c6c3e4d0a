import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ManualClock, silentLog } from '@homeostat/base'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { createClient, nodeTransport } from '@homeostat/client/node'
import { readCredential } from '@homeostat/executor/credential'
import { SimulatedRuntime, type Unit } from '@homeostat/runtimes'
import { type TestColony, testColony } from '@homeostat/testing/colony'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { reconcileDeployment } from '../reconcile.ts'
import { Targets } from '../targets/targets.ts'
import { UnitIdentities } from './unit-identities.ts'

const SERVER = 'https://127.0.0.1:6443'
let colony: TestColony
beforeAll(async () => {
  colony = await testColony({ listen: true })
})
afterAll(() => colony.close())

async function newNamespace(name: string): Promise<string> {
  await colony.client.resource('v1', 'Namespace').create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const maps = colony.client.resource('v1', 'ConfigMap')
  await expect.poll(() => maps.find({ name: 'kube-root-ca.crt', namespace: name })).toBeDefined()
  return name
}

function identities(directory: string, clock = new ManualClock(Date.now())): UnitIdentities {
  const made = new UnitIdentities({ client: colony.client, server: SERVER, directory, clock, log: silentLog })
  onTestFinished(() => made.close())
  return made
}

/** A client of the server with nothing but this token. */
function clientWith(token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const client = createClient(nodeTransport({ url: colony.url ?? '', headers }))
  onTestFinished(() => client.close())
  return client
}

const wantedIn = (namespace: string, isContainer = false) =>
  ({ namespace, name: 'ml-1', type: 'ml', ownerUid: 'u1', isContainer, hostNetwork: false }) as const

function accounts(namespace: string) {
  const named = { name: 'executor-ml-1', namespace }
  return Promise.all([
    colony.client.resource('v1', 'ServiceAccount').find(named),
    colony.client.resource('rbac.authorization.k8s.io/v1', 'Role').find(named),
    colony.client.resource('rbac.authorization.k8s.io/v1', 'RoleBinding').find(named),
  ])
}

describe('the identity of an executor that a controller starts', () => {
  it('is an account with the rights of one executor, in a folder that others cannot read', async () => {
    const namespace = await newNamespace('one')
    const directory = join(temporaryFolder(), 'credentials')
    const { kubeconfig = '', env } = await identities(directory).give(wantedIn(namespace))
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of ['token', 'ca.crt', 'namespace', 'kubeconfig'])
      expect(statSync(join(directory, namespace, 'ml-1', name)).mode & 0o777).toBe(0o600)
    expect(env).toMatchObject({ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '6443' })
    expect(env.KUBECONFIG).toBe(kubeconfig)
    const credential = readCredential(kubeconfig)
    expect(credential).toMatchObject({ server: SERVER, colony: namespace, executor: 'ml-1', type: 'ml' })
    expect(credential?.ca).toContain('BEGIN CERTIFICATE')
    const own = clientWith(credential?.token ?? '')
    const executors = own.resourceOf('colonies.io/v1', 'Executor')
    const object = (name: string, type: string) => ({
      apiVersion: 'colonies.io/v1',
      kind: 'Executor',
      metadata: { name, namespace },
      spec: { type },
    })
    await executors.create(object('ml-1', 'ml'))
    await expect(executors.create(object('other', 'ml'))).rejects.toMatchObject({ reason: 'Forbidden' })
    await expect(own.resource('v1', 'Secret').list({ namespace })).rejects.toMatchObject({ reason: 'Forbidden' })
  })

  it('is readable inside a container for any user, below a folder that is private outside', async () => {
    const namespace = await newNamespace('two')
    const directory = join(temporaryFolder(), 'credentials')
    const { mount, env, server } = await identities(directory).give(wantedIn(namespace, true))
    const target = '/var/run/secrets/kubernetes.io/serviceaccount'
    expect(mount).toEqual({ source: join(directory, namespace, 'ml-1'), target, readOnly: true })
    expect(server).toBe('https://host.docker.internal:6443')
    expect(env).toMatchObject({ KUBERNETES_SERVICE_HOST: 'host.docker.internal', KUBECONFIG: `${target}/kubeconfig` })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, namespace)).mode & 0o777).toBe(0o700)
    expect(statSync(join(mount?.source ?? '', 'token')).mode & 0o777).toBe(0o644)
  })

  it('is renewed at half of its life, by a later controller too, and its folder goes with its account', async () => {
    const namespace = await newNamespace('three')
    const directory = join(temporaryFolder(), 'credentials')
    const clock = new ManualClock(Date.now())
    await identities(directory).give(wantedIn(namespace))
    const file = join(directory, namespace, 'ml-1', 'token')
    const first = readFileSync(file, 'utf8')
    const later = identities(directory, clock)
    await later.look()
    expect(readFileSync(file, 'utf8')).toBe(first)
    clock.advance(13 * 3_600_000)
    await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(first)
    await colony.client.resource('v1', 'ServiceAccount').delete({ name: 'executor-ml-1', namespace })
    // The look before may not have set the next one yet.
    await expect
      .poll(() => {
        clock.advance(24 * 3_600_000)
        return existsSync(file)
      })
      .toBe(false)
  })

  it('never takes over an account that is not of its resource, and does not remove it', async () => {
    const namespace = await newNamespace('four')
    const directory = join(temporaryFolder(), 'credentials')
    const metadata = { name: 'executor-ml-1', namespace }
    await colony.client.resource('v1', 'ServiceAccount').create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
    const made = identities(directory)
    await expect(made.give(wantedIn(namespace))).rejects.toThrow('homeostat executor revoke ml-1 -n four')
    await made.take(namespace, 'ml-1', 'u1')
    const [account, role, binding] = await accounts(namespace)
    expect([account?.metadata.name, role, binding]).toEqual(['executor-ml-1', undefined, undefined])
    expect(existsSync(join(directory, namespace))).toBe(false)
  })

  it('comes with each unit of an ExecutorDeployment and goes with it', async () => {
    const namespace = await newNamespace('five')
    const directory = join(temporaryFolder(), 'units')
    const started: Unit[] = []
    class Recorded extends SimulatedRuntime {
      override start(unit: Unit): Promise<string> {
        started.push(unit)
        return super.start(unit)
      }
    }
    const runtime = new Recorded({ startDelayMs: 1 })
    const targets = new Targets({
      client: colony.client,
      directory,
      executorCommand: ['homeostat', 'executor', 'run'],
      localEnv: {},
      server: SERVER,
      kubeconfig: undefined,
      settleMs: 5,
      waitMs: 100,
      openLocal: async () => runtime,
      executorsOnline: async () => ({ has: () => true }),
    })
    onTestFinished(() => targets.close())
    let status: object = {}
    const reconcile = (replicas: number, deleting = false) => {
      const metadata = { name: 'ml', namespace, uid: 'abcdef01-2', ...(deleting && { deletionTimestamp: 'now' }) }
      const spec = { runtime: 'local', replicas, executorType: 'ml' }
      const context = {
        kwargs: { kind: 'ExecutorDeployment', metadata, spec, status },
        signal: new AbortController().signal,
        log() {},
        status: (fields: object) => {
          status = fields
        },
        requeueAfter() {},
      }
      return reconcileDeployment(context, { targets, allowCommands: false, server: SERVER, say() {}, now: Date.now })
    }
    const names = async () => {
      const { items } = await colony.client.resource('v1', 'ServiceAccount').list({ namespace })
      return items.map(({ metadata }) => metadata.name).filter((name) => name !== 'default')
    }
    await reconcile(2)
    expect(await names()).toEqual(['executor-ml-abcdef01-0', 'executor-ml-abcdef01-1'])
    const folder = join(`${directory}.credentials`, namespace)
    const file = join(folder, 'ml-abcdef01-0', 'kubeconfig')
    expect(started[0]?.command).toEqual(expect.arrayContaining(['--kubeconfig', file]))
    expect(started[0]?.command).not.toContain('--server')
    await reconcile(1)
    expect(await names()).toEqual(['executor-ml-abcdef01-0'])
    expect(existsSync(join(folder, 'ml-abcdef01-1'))).toBe(false)
    await reconcile(1, true)
    expect(await names()).toEqual([])
    expect(existsSync(file)).toBe(false)
  })
})
