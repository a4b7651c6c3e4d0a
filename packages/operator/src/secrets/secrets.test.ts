import { inspect } from 'node:util'
import { eventually } from '@homeostat/base/testing/eventually'
import type { Client } from '@homeostat/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { GROUP, stage } from '../resources/class-style.fixture.ts'
import { CustomResource } from '../resources/custom-resource.ts'
import { createCustomResourceDefinition } from '../resources/custom-resource-definition.ts'
import { startTestServer } from '../testing/server.fixture.ts'
import { ensureSecret, rotateSecret } from './ensure-secret.ts'
import type { SecretCluster, SecretObject } from './secret-object.ts'
import { SecretService } from './secret-service.ts'
import { decodeValues } from './secret-values.ts'

const schema = z.object({ user: z.string(), password: z.string().min(4) })
const place = { name: 'creds', namespace: 'default' }

/** Values that differ with every call. */
function generator() {
  let made = 0
  const make = () => {
    made++
    return { user: `user-${made}`, password: `password-${made}` }
  }
  return { make, made: () => made }
}

/** A cluster with an empty cache, as after a failed list or behind a filter. */
function withoutCache(client: Client): SecretCluster {
  return { client, fieldManager: 'test', read: async () => undefined, wrote() {} }
}

async function server() {
  const one = await startTestServer()
  onTestFinished(() => one.close())
  const secrets = one.client.resourceOf<SecretObject>('v1', 'Secret')
  return { client: one.client, secrets, cluster: withoutCache(one.client), connect: () => one.connect() }
}

describe('ensureSecret', () => {
  it('makes values once, in base64, and finds them again although no cache has them', async () => {
    const { cluster, secrets } = await server()
    const { make, made } = generator()
    const first = await ensureSecret(cluster, { ...place, schema, generator: make })
    expect([first.changed, first.value]).toEqual([true, { user: 'user-1', password: 'password-1' }])
    expect((await secrets.get(place)).data).toEqual({
      user: Buffer.from('user-1').toString('base64'),
      password: Buffer.from('password-1').toString('base64'),
    })
    const again = await ensureSecret(cluster, { ...place, schema, generator: make })
    expect([again.changed, again.value, again.digest]).toEqual([false, first.value, first.digest])
    expect(made()).toBe(1)
  })

  it('gives creators at the same time the values of the first', async () => {
    const { secrets, connect } = await server()
    const { make } = generator()
    const options = { ...place, schema, generator: make }
    const all = await Promise.all(Array.from({ length: 8 }, () => ensureSecret(withoutCache(connect()), options)))
    const stored = decodeValues((await secrets.get(place)).data)
    for (const one of all) expect(one.value).toEqual(stored)
    expect(all.filter((one) => one.changed)).toHaveLength(1)
  })

  it('adds keys that are missing and touches no other', async () => {
    const { cluster, secrets } = await server()
    const own = { user: Buffer.from('mine').toString('base64'), note: Buffer.from('kept').toString('base64') }
    await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: place, data: own })
    const { make } = generator()
    const { value, changed } = await ensureSecret(cluster, { ...place, schema, generator: make })
    expect([changed, value]).toEqual([true, { user: 'mine', password: 'password-1' }])
    expect(decodeValues((await secrets.get(place)).data)).toEqual({
      user: 'mine',
      note: 'kept',
      password: 'password-1',
    })
  })

  it('never makes new values for another owner', async () => {
    const { client, cluster, secrets } = await server()
    const { make, made } = generator()
    // The owners must exist: the garbage collector deletes objects whose owner is gone.
    const owner = async (name: string) => {
      const { metadata } = await client.resource('v1', 'ConfigMap').create({ metadata: { ...place, name } })
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid ?? '' }
    }
    const { value } = await ensureSecret(cluster, { ...place, schema, generator: make, owner: await owner('a') })
    const second = await ensureSecret(cluster, { ...place, schema, generator: make, owner: await owner('b') })
    expect(second.value).toEqual(value)
    expect(made()).toBe(1)
    expect((await secrets.get(place)).metadata.ownerReferences).toMatchObject([{ name: 'a' }])
  })

  it('reports values that do not fit, by key, and leaves them as they are', async () => {
    const { cluster, secrets } = await server()
    const data = { user: Buffer.from('me').toString('base64'), password: Buffer.from('abc').toString('base64') }
    await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata: place, data })
    const attempt = ensureSecret(cluster, { ...place, schema, generator: generator().make })
    await expect(attempt).rejects.toMatchObject({
      name: 'Waiting',
      reason: 'InvalidSecret',
      message: expect.stringMatching(/^Secret default\/creds does not fit its schema: password \(too_small\)/),
    })
    expect((await secrets.get(place)).data).toEqual(data)
  })

  it('refuses a generator whose values do not fit, before anything is written', async () => {
    const { cluster, secrets } = await server()
    const bad = () => ({ user: 'x', password: 'abc' })
    await expect(ensureSecret(cluster, { ...place, schema, generator: bad })).rejects.toThrow('password (too_small)')
    expect(await secrets.find(place)).toBeUndefined()
  })

  it('says that the namespace is missing when it is', async () => {
    const { cluster } = await server()
    const options = { name: 'creds', namespace: 'nowhere', schema, generator: generator().make }
    await expect(ensureSecret(cluster, options)).rejects.toThrow('namespaces "nowhere" not found')
  })

  it('waits for a Secret that is being deleted', async () => {
    const { cluster, secrets } = await server()
    const metadata = { ...place, finalizers: ['class.test/hold'] }
    await secrets.create({ apiVersion: 'v1', kind: 'Secret', metadata })
    await secrets.delete(place)
    const attempt = ensureSecret(cluster, { ...place, schema, generator: generator().make })
    await expect(attempt).rejects.toMatchObject({ name: 'Waiting', reason: 'SecretBeingDeleted' })
  })
})

describe('derived values', () => {
  const derived = (host: string) => ({ host })
  const place = { name: 'creds', namespace: 'default' }
  const addressed = schema.extend({ host: z.string() })

  it('follow what they are derived from, and leave what was generated as it is', async () => {
    const { cluster, secrets } = await server()
    const { make, made } = generator()
    const at = (host: string) => ({
      ...place,
      schema: addressed,
      generator: () => ({ ...make(), host }),
      derived: derived(host),
    })
    const first = await ensureSecret(cluster, at('a'))
    expect(first.value).toEqual({ user: 'user-1', password: 'password-1', host: 'a' })
    const moved = await ensureSecret(cluster, at('b'))
    expect([moved.changed, moved.value]).toEqual([true, { ...first.value, host: 'b' }])
    expect(moved.digest).not.toBe(first.digest)
    expect((await ensureSecret(cluster, at('b'))).changed).toBe(false)
    await secrets.patch(place, { data: { host: Buffer.from('elsewhere').toString('base64') } })
    expect((await ensureSecret(cluster, at('b'))).value.host).toBe('b')
    expect(made()).toBe(1)
  })
})

describe('rotateSecret', () => {
  it('puts new values in the place of the old ones, and keeps other keys', async () => {
    const { cluster, secrets } = await server()
    const { make } = generator()
    const options = { ...place, schema, generator: make }
    const before = await ensureSecret(cluster, options)
    await secrets.patch(place, { data: { note: Buffer.from('kept').toString('base64') } })
    const after = await rotateSecret(cluster, options)
    expect([after.changed, after.value]).toEqual([true, { user: 'user-2', password: 'password-2' }])
    expect(after.digest).not.toBe(before.digest)
    expect(decodeValues((await secrets.get(place)).data)).toEqual({ ...after.value, note: 'kept' })
  })
})

describe('SecretService', () => {
  const spec = z.object({})

  /** As the guide prints it: a reference in a field, and a patch when there is no Secret. */
  class Guided extends CustomResource<typeof spec> {
    secretRef = this.services.get(SecretService).get({ name: `${this.name}-secret`, namespace: this.namespace, schema })

    async reconcile() {
      const secretData = { user: 'admin', password: `password-${Math.random()}` }
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
      seen.push(this.secretRef.current.value?.password)
    }
  }

  const seen: (string | undefined)[] = []
  const guided = createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Guided',
    spec,
    create: (options) => new Guided(options),
  })

  it('keeps the password that was made first across restarts, also with a cache that shows no Secrets', async () => {
    seen.length = 0
    const { operate, create, find, delete: remove } = await stage()
    const first = await operate([guided])
    const owner = await create('Guided', 'a')
    const secret = await eventually(() => find('Secret', 'a-secret'))
    await eventually(() => seen.length > 0)
    await first.running.close()
    const password = Buffer.from(String(secret.data?.password), 'base64').toString()
    expect(secret.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid }])
    const blind = { 'v1/Secret': { labelSelector: 'never=there' } }
    for (const caches of [{}, blind]) {
      seen.length = 0
      const { running, writes } = await operate([guided], { caches })
      await eventually(() => seen.length > 0)
      await running.idle()
      expect(new Set(seen)).toEqual(new Set([password]))
      expect(writes.filter((write) => write.includes('secrets'))).toEqual([])
      await running.close()
    }
    expect((await find('Secret', 'a-secret'))?.metadata.resourceVersion).toBe(secret.metadata.resourceVersion)
    await operate([guided])
    await remove('Guided', 'a')
    await eventually(async () => (await find('Secret', 'a-secret')) === undefined)
  })

  it('never replaces a value by a patch, and adds what is missing', async () => {
    const { operate } = await stage()
    const { running } = await operate([guided])
    const { Services } = await import('../resources/services.ts')
    const secrets = new Services(await running.cluster).get(SecretService)
    const { current } = secrets.get(place)
    expect(current.value).toBeUndefined()
    expect(await current.patch({ data: { a: '1' } })).toEqual({ changed: true })
    expect(await current.patch({ data: { a: '2' } })).toEqual({ changed: false })
    expect(await current.patch({ data: { a: '2', b: '3' } })).toEqual({ changed: true })
    expect([current.exists, current.value]).toEqual([true, { a: '1', b: '3' }])
    expect(secrets.get({ ...place, schema }).current.problems).toEqual([
      'user (invalid_type)',
      'password (invalid_type)',
    ])
  })

  it('brings a run when a Secret of `ensure` changes, and shows values to nobody who prints it', async () => {
    const passwords: string[] = []
    const printed: string[] = []
    class Ensured extends CustomResource<typeof spec> {
      async reconcile() {
        const { name, namespace, ref: owner } = this
        const made = () => ({ user: 'u', password: 'pass' })
        const secret = await this.services
          .get(SecretService)
          .ensure({ name, namespace, schema, generator: made, owner })
        passwords.push(secret.value.password)
        printed.push(inspect(secret, { depth: 9, showHidden: true }), JSON.stringify(secret))
      }
    }
    const kind = createCustomResourceDefinition({
      group: GROUP,
      version: 'v1',
      kind: 'Ensured',
      spec,
      create: (options) => new Ensured(options),
    })
    const { operate, create, merge, delete: remove, untilCondition } = await stage()
    await operate([kind])
    await create('Ensured', 'a')
    await eventually(() => passwords.includes('pass'))
    await merge('Secret', 'a', { data: { password: Buffer.from('altered').toString('base64') } })
    await eventually(() => passwords.includes('altered'))
    await merge('Secret', 'a', { data: { password: Buffer.from('abc').toString('base64') } })
    const waits = await untilCondition('Ensured', 'a', 'Ready', 'False InvalidSecret')
    expect(JSON.stringify(waits)).not.toContain('abc')
    await merge('Secret', 'a', { data: { password: Buffer.from('right').toString('base64') } })
    await eventually(() => passwords.includes('right'))
    passwords.length = 0
    await remove('Secret', 'a')
    await eventually(() => passwords.includes('pass'))
    expect(printed.join()).not.toMatch(/pass|altered|right/)
  })
})
