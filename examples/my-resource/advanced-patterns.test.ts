// The guide's advanced patterns: a dependency, a secret, a part that fails. Its fragments do not compile as they are
// printed (a field is not declared, an object is used as a name), so they are completed here.

import type { LooseObject } from '@homeostat/client'
import {
  CustomResource,
  type CustomResourceOptions,
  createCustomResourceDefinition,
  ResourceReference,
  ResourceService,
  SecretService,
  type SubresourceResult,
} from '@homeostat/operator'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { myResourceSecretSchema } from './src/custom-resources/my-resource/my-resource.schemas.ts'
import { GROUP } from './src/group.ts'

const appSpec = z.object({ database: z.string() })
const databaseSpec = z.object({})
const app = { apiVersion: `${GROUP}/v1`, kind: 'App', name: 'my-app', namespace: 'default' }
const database = { apiVersion: `${GROUP}/v1`, kind: 'PostgresDatabase', name: 'orders', namespace: 'default' }

/** A database that is ready when the test sets its status. */
class PostgresDatabase extends CustomResource<typeof databaseSpec> {
  async reconcile() {
    const started = this.metadata.annotations?.started === 'yes'
    await this.conditions.set('Ready', { status: started ? 'True' : 'False', reason: started ? 'Started' : 'Starting' })
  }
}

const databaseDefinition = createCustomResourceDefinition({
  group: GROUP,
  version: 'v1',
  kind: 'PostgresDatabase',
  spec: databaseSpec,
  create: (options) => new PostgresDatabase(options),
})

class Dependent extends CustomResource<typeof appSpec> {
  #dependentResource = new ResourceReference()

  constructor(options: CustomResourceOptions<typeof appSpec>) {
    super(options)
    const resourceService = this.services.get(ResourceService)
    this.#dependentResource.current = resourceService.get({
      apiVersion: 'homelab.mortenolsen.pro/v1',
      kind: 'PostgresDatabase',
      name: this.spec.database,
      namespace: this.namespace,
    })
    this.#dependentResource.on('changed', this.queueReconcile)
  }

  #reconcileApp = async (): Promise<SubresourceResult> => {
    const dependency = this.#dependentResource.current
    if (!dependency?.exists) {
      return {
        ready: false,
        failed: true,
        reason: 'MissingDependency',
        message: `PostgresDatabase ${this.spec.database} not found`,
      }
    }
    const dependencyReady = dependency.status?.conditions?.find((c) => c.type === 'Ready' && c.status === 'True')
    if (!dependencyReady) {
      return {
        ready: false,
        reason: 'WaitingForDependency',
        message: `Waiting for PostgresDatabase ${this.spec.database} to be ready`,
      }
    }
    return { ready: true }
  }

  reconcile = async () => {
    await this.reconcileSubresource('App', this.#reconcileApp)
  }
}

function appKind(create: (options: CustomResourceOptions<typeof appSpec>) => CustomResource<typeof appSpec>) {
  return createCustomResourceDefinition({ group: GROUP, version: 'v1', kind: 'App', spec: appSpec, create })
}

async function start(): Promise<TestEnv> {
  const env = await testEnv()
  onTestFinished(() => env.close())
  return env
}

function manifest({ apiVersion, kind, name, namespace }: typeof app, metadata: object = {}) {
  const spec = kind === 'App' ? { database: 'orders' } : {}
  return { apiVersion, kind, metadata: { name, namespace, ...metadata }, spec }
}

function untilCondition(env: TestEnv, type: string, wanted: string): Promise<LooseObject> {
  return env.until<LooseObject>(app, ({ status }) =>
    (status?.conditions ?? []).some((one) => one.type === type && `${one.status} ${one.reason}` === wanted),
  )
}

test('a resource waits for the one it depends on, with no other trigger than that one', async () => {
  const env = await start()
  const dependent = appKind((options) => new Dependent(options))
  await env.run([dependent, databaseDefinition], { name: 'apps' }).ready
  await env.apply(manifest(app))
  const missing = await untilCondition(env, 'App', 'False MissingDependency')
  expect(missing.status?.conditions?.find(({ type }) => type === 'App')?.message).toBe(
    'PostgresDatabase orders not found',
  )
  await env.apply(manifest(database))
  await untilCondition(env, 'App', 'False WaitingForDependency')
  await env.apply(manifest(database, { annotations: { started: 'yes' } }))
  await untilCondition(env, 'App', 'True Ready')
  await untilCondition(env, 'Ready', 'True Ready')
})

test('a secret is made once, in base64, and keeps its password when the operator starts again', async () => {
  class Keeper extends CustomResource<typeof appSpec> {
    readonly secretRef = this.services.get(SecretService).get({
      name: `${this.name}-secret`,
      namespace: this.namespace,
      schema: myResourceSecretSchema,
    })

    #ensureSecret = async (): Promise<SubresourceResult> => {
      const secretData = { apiKey: crypto.randomUUID(), password: crypto.randomUUID() }
      if (!this.secretRef.current?.exists) {
        await this.secretRef.current?.patch({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name: this.secretRef.current.name,
            namespace: this.secretRef.current.namespace,
            ownerReferences: [this.ref],
          },
          data: secretData,
        })
      }
      passwords.add(this.secretRef.current.value?.password)
      return { ready: true }
    }

    async reconcile() {
      await this.reconcileSubresource('Secret', this.#ensureSecret)
    }
  }
  const passwords = new Set<string | undefined>()
  const env = await start()
  const keeper = appKind((options) => new Keeper(options))
  const secret = { apiVersion: 'v1', kind: 'Secret', name: 'my-app-secret', namespace: 'default' }
  const first = env.run(keeper, { name: 'apps' })
  await first.ready
  await env.apply(manifest(app))
  await untilCondition(env, 'Secret', 'True Ready')
  const made = await env.until<LooseObject>(secret, () => true)
  await env.settled()
  await first.close()
  const second = env.run(keeper, { name: 'apps' })
  await second.ready
  await env.settled()
  expect(second.runs).toBeGreaterThan(0)
  const [password = ''] = [...passwords]
  expect(passwords).toEqual(new Set([Buffer.from(String(made.data?.password), 'base64').toString()]))
  expect(password).toMatch(/^[0-9a-f-]{36}$/)
  expect((await env.until<LooseObject>(secret, () => true)).data).toEqual(made.data)
  await env.client.resourceOf(app.apiVersion, app.kind).delete(app)
  await env.untilGone(secret)
})

test('a part that throws says so in its own condition, stops no other, and is tried again until it works', async () => {
  let broken = true
  class Fragile extends CustomResource<typeof appSpec> {
    async reconcile() {
      await this.reconcileSubresource('Fragile', async () => {
        if (broken) throw new Error('no connection')
        return { ready: true }
      })
      await this.reconcileSubresource('Sturdy', async () => ({ ready: true }))
    }
  }
  const env = await start()
  await env.run(
    appKind((options) => new Fragile(options)),
    { name: 'apps' },
  ).ready
  await env.apply(manifest(app))
  const failed = await untilCondition(env, 'Fragile', 'False Failed')
  expect(failed.status?.conditions?.find(({ type }) => type === 'Fragile')?.message).toBe('no connection')
  await untilCondition(env, 'Sturdy', 'True Ready')
  broken = false
  await env.advance('10m')
  await untilCondition(env, 'Fragile', 'True Ready')
})
