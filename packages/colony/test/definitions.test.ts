import { systemClock } from '@homeostat/base'
import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { DefinitionController } from '../src/definitions/definition-controller.ts'
import { CRDS, conditionOf, type TestServer, testServer } from './server.fixture.ts'

const DEFINITIONS = { group: 'colonies.io', resource: 'resourcedefinitions' }
const NAME = 'databases.storage.colonies.io'

async function colony(): Promise<TestServer> {
  const env = await testServer()
  const api = env.server.api({ username: 'colony', manager: 'colonies.io/colony' })
  env.atEnd(new DefinitionController({ api, clock: systemClock, log: env.log, signal: env.signal }).run())
  return env
}

function definition(spec: object = {}, kind = 'ResourceDefinition', name = NAME): KubeObject {
  return {
    apiVersion: 'colonies.io/v1',
    kind,
    metadata: { name },
    spec: {
      group: 'storage.colonies.io',
      version: 'v1',
      names: { kind: 'Database', plural: 'databases', shortNames: ['db'] },
      scope: 'Namespaced',
      schema: { type: 'object', properties: { engine: { type: 'string' } }, required: ['engine'] },
      handler: { executorType: 'database-controller', functionName: 'reconcile_database' },
      ...spec,
    },
  }
}

const isTrue = (object: KubeObject | undefined, type: string) => conditionOf(object, type)?.status === 'True' && object

function established({ user, until }: TestServer, resource = DEFINITIONS): Promise<KubeObject> {
  return until(() => isTrue(user.get(resource, { name: NAME }), 'Established'))
}

function refused({ user, until }: TestServer, name = NAME, resource = DEFINITIONS) {
  return until(() => {
    const accepted = conditionOf(user.get(resource, { name }), 'Accepted')
    return accepted?.status === 'False' && accepted
  })
}

const database = (spec: object): KubeObject => ({
  apiVersion: 'storage.colonies.io/v1',
  kind: 'Database',
  metadata: { name: 'orders', namespace: 'dev' },
  spec,
})
const DATABASES = { group: 'storage.colonies.io', resource: 'databases' }

describe('a definition of colonies.io', () => {
  it('serves its kind, keeps fields that its schema does not know, and makes namespaces', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    const accepted = await established(env)
    expect(conditionOf(accepted, 'Accepted')).toMatchObject({ status: 'True', observedGeneration: 1 })
    const made = await env.user.create(DATABASES, database({ engine: 'postgres', size: { disk: '10Gi' } }))
    expect(made.spec).toEqual({ engine: 'postgres', size: { disk: '10Gi' } })
    await expect(env.user.create(DATABASES, database({}))).rejects.toThrow('spec.engine')
  })

  it('works under the name CustomResourceDefinition, too', async () => {
    await using env = await colony()
    const resource = { group: 'colonies.io', resource: 'customresourcedefinitions' }
    await env.user.create(resource, definition({}, 'CustomResourceDefinition'))
    await established(env, resource)
    const { annotations, ownerReferences } = env.user.get(CRDS, { name: NAME })?.metadata ?? {}
    expect(JSON.parse(annotations?.['colonies.io/handler'] ?? '')).toEqual({
      executorType: 'database-controller',
      functionName: 'reconcile_database',
    })
    expect(ownerReferences).toMatchObject([{ kind: 'CustomResourceDefinition', apiVersion: 'colonies.io/v1' }])
  })

  it('writes nothing once it is as it should be, also after a restart', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    const api = env.server.api({ username: 'colony', manager: 'colonies.io/colony' })
    const before = env.revision()
    env.atEnd(new DefinitionController({ api, clock: systemClock, log: env.log, signal: env.signal }).run())
    // A change of another definition goes through the same loop, after this one.
    const other = { names: { kind: 'Other', plural: 'others' } }
    await env.user.create(DEFINITIONS, definition(other, 'ResourceDefinition', 'others.storage.colonies.io'))
    await env.until(() => isTrue(env.user.get(DEFINITIONS, { name: 'others.storage.colonies.io' }), 'Established'))
    expect(env.user.object(DEFINITIONS, { name: NAME })?.revision).toBeLessThanOrEqual(before)
    expect(env.user.object(CRDS, { name: NAME })?.revision).toBeLessThanOrEqual(before)
  })

  it('puts right what somebody changed or deleted of what it made', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    await env.user.change(CRDS, { name: NAME }, (made) => {
      delete made.metadata.annotations?.['colonies.io/handler']
    })
    await env.until(() => env.user.get(CRDS, { name: NAME })?.metadata.annotations?.['colonies.io/handler'])
    const uid = env.user.get(CRDS, { name: NAME })?.metadata.uid
    await env.user.delete(CRDS, { name: NAME })
    await env.until(() => {
      const made = env.user.get(CRDS, { name: NAME })
      return made?.metadata.uid !== uid && isTrue(made, 'Established')
    })
  })

  it('takes its kind with it when it is deleted', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    await env.user.delete(DEFINITIONS, { name: NAME })
    await env.until(() => env.user.get(CRDS, { name: NAME }) === undefined)
  })

  it('made anew serves its kind again, once the old one is gone', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    const uid = env.user.get(CRDS, { name: NAME })?.metadata.uid
    await env.user.delete(DEFINITIONS, { name: NAME })
    await env.user.create(DEFINITIONS, definition())
    await env.until(() => env.user.get(CRDS, { name: NAME })?.metadata.uid !== uid)
    await established(env)
  })

  it('leaves a CustomResourceDefinition of somebody else alone, and takes its name only when it is written again', async () => {
    await using env = await colony()
    await env.user.create(CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: NAME },
      spec: {
        group: 'storage.colonies.io',
        names: { kind: 'Database', plural: 'databases' },
        scope: 'Namespaced',
        versions: [{ name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    })
    await env.user.create(DEFINITIONS, definition())
    expect(await refused(env)).toMatchObject({ reason: 'NamesConflict' })
    expect(env.user.get(CRDS, { name: NAME })?.spec).toMatchObject({ versions: [{ name: 'v2' }] })
    // That one goes, perhaps much later: nobody expects this one any more.
    await env.user.delete(CRDS, { name: NAME })
    await env.until(() => {
      const message = conditionOf(env.user.get(DEFINITIONS, { name: NAME }), 'Accepted')?.message
      return String(message).includes('create it anew, or change it')
    })
    await env.until(() => env.user.get(CRDS, { name: NAME }) === undefined)
    // Something that is done after it: nothing was made of it by then.
    await env.user.create(DEFINITIONS, definition({}, 'ResourceDefinition', 'wrong.storage.colonies.io'))
    await refused(env, 'wrong.storage.colonies.io')
    expect(env.user.get(CRDS, { name: NAME })).toBeUndefined()
    // Written again, it is made.
    await env.user.change(DEFINITIONS, { name: NAME }, (object) => {
      object.spec = { ...(object.spec as object), version: 'v3' }
    })
    await established(env)
  })

  it('says whose schema is in force instead of its own', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    const other = { group: 'colonies.io', resource: 'customresourcedefinitions' }
    await env.user.create(other, definition({}, 'CustomResourceDefinition'))
    const { message } = await env.until(() => conditionOf(env.user.get(other, { name: NAME }), 'Accepted') ?? false)
    expect(message).toContain(
      'another schema is in force: the CustomResourceDefinition of this name was made from colonies.io/v1 ResourceDefinition',
    )
  })

  it('says what is wrong with its name or its schema, in the words of the server', async () => {
    await using env = await colony()
    await env.user.create(DEFINITIONS, definition({}, 'ResourceDefinition', 'wrong.storage.colonies.io'))
    expect(await refused(env, 'wrong.storage.colonies.io')).toMatchObject({ reason: 'InvalidName' })
    await env.user.create(DEFINITIONS, definition({ schema: { properties: { a: { $ref: '#/definitions/a' } } } }))
    const { reason, message } = await refused(env)
    expect([reason, message]).toEqual(['InvalidSchema', expect.stringContaining('$ref')])
    // Once it is right it is accepted.
    await env.user.change(DEFINITIONS, { name: NAME }, (object) => {
      ;(object.spec as { schema: unknown }).schema = { properties: { a: { type: 'string' } } }
    })
    await established(env)
  })

  it('can change its version while objects of the old one are stored; both are served until it says otherwise', async () => {
    await using env = await colony()
    const change = (parts: object) =>
      env.user.change(DEFINITIONS, { name: NAME }, (object) => {
        object.spec = { ...(object.spec as object), ...parts }
      })
    const accepted = (generation: number) =>
      env.until(() => {
        const condition = conditionOf(env.user.get(DEFINITIONS, { name: NAME }), 'Accepted')
        return condition?.observedGeneration === generation && condition
      })
    const served = () => {
      const made = env.user.get(CRDS, { name: NAME })
      const { versions } = (made?.spec ?? { versions: [] }) as { versions: { name: string; served: boolean }[] }
      return versions.filter((version) => version.served).map(({ name }) => name)
    }
    await env.user.create(DEFINITIONS, definition())
    await established(env)
    await env.user.create(DATABASES, database({ engine: 'postgres' }))
    await change({ version: 'v2' })
    await accepted(2)
    await env.until(() => env.user.get(DATABASES, { namespace: 'dev', name: 'orders' })?.apiVersion.endsWith('/v2'))
    expect(served()).toEqual(['v2', 'v1'])
    await change({ versions: [{ name: 'v1', served: false }] })
    await accepted(3)
    expect(served()).toEqual(['v2'])
    await change({ version: null, schema: null, versions: null })
    expect(await accepted(4)).toMatchObject({ status: 'False', reason: 'InvalidVersions' })
    expect(served()).toEqual(['v2'])
  })
})
