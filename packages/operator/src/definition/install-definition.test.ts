import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import type { Client } from '@homeostat/client'
import { isStatusError } from '@homeostat/meta'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../testing/server.fixture.ts'
import { type CustomResourceDefinition, type DefinitionOptions, definitionManifest } from './definition-manifest.ts'
import { BreakingChangeError, installDefinition } from './install-definition.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer()
  client = server.client
})

afterAll(() => server.close())

let count = 0

/** A separate kind for each test. */
function kindOf(spec: z.ZodType, more: Partial<DefinitionOptions> = {}): DefinitionOptions {
  count += 1
  return { group: 'install.test', version: 'v1', kind: `Thing${count}x`, spec, ...more }
}

const definitions = () =>
  client.resourceOf<CustomResourceDefinition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')

const stored = (options: DefinitionOptions) =>
  definitions().get({ name: definitionManifest(options).metadata.name ?? '' })

const ports = z.object({ port: z.int().min(1).default(80) })

describe('installDefinition', () => {
  it('creates a definition and waits until its kind is served', async () => {
    const kind = kindOf(ports)
    const { written, definition } = await installDefinition(client, definitionManifest(kind))
    expect(written).toBe('created')
    expect(definition.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Established', status: 'True' }),
    )
    const things = client.resourceOf('install.test/v1', kind.kind)
    const made = await things.create({ metadata: { name: 'a', namespace: 'default' } })
    expect(made).toMatchObject({ spec: { port: 80 } })
  })

  it('writes nothing when the server has it already, whatever the server filled in', async () => {
    const kind = kindOf(
      z.object({
        host: z.string().meta({ column: { priority: 0 }, selectable: true }),
        zero: z.int().default(0),
        off: z.boolean().default(false),
        empty: z.string().default(''),
        list: z.array(z.string()).default([]),
        replicas: z.int().default(1).meta({ scale: 'specReplicas' }),
      }),
      { status: z.object({ replicas: z.int().meta({ scale: 'statusReplicas' }) }), names: { shortNames: [] } },
    )
    await installDefinition(client, definitionManifest(kind))
    const before = await stored(kind)
    expect(await installDefinition(client, definitionManifest(kind))).toMatchObject({ written: 'nothing', changes: [] })
    expect((await stored(kind)).metadata.resourceVersion).toBe(before.metadata.resourceVersion)
  })

  it('writes nothing for a manifest by hand that says less than the server stores', async () => {
    const manifest = definitionManifest(kindOf(ports))
    const { singular: _, listKind: __, ...names } = manifest.spec.names
    const versions = manifest.spec.versions.map((version) => ({ ...version, deprecated: false, selectableFields: [] }))
    const short = { ...manifest, spec: { ...manifest.spec, names: { ...names, categories: [] }, versions } }
    expect(await installDefinition(client, short)).toMatchObject({ written: 'created' })
    expect(await installDefinition(client, short)).toMatchObject({ written: 'nothing' })
  })

  it('updates what differs and hurts nobody', async () => {
    const kind = kindOf(ports)
    await installDefinition(client, definitionManifest(kind))
    const more = definitionManifest({ ...kind, spec: ports.extend({ host: z.string().optional() }) })
    expect(await installDefinition(client, more)).toMatchObject({ written: 'updated', changes: [] })
    expect(JSON.stringify(await stored(kind))).toContain('"host"')
  })

  it('leaves labels, annotations and the conversion of others alone, and takes its own back', async () => {
    const kind = kindOf(ports)
    const manifest = definitionManifest(kind)
    await installDefinition(client, manifest)
    const name = manifest.metadata.name ?? ''
    await definitions().patch({ name }, { metadata: { labels: { team: 'a' } } })
    await installDefinition(client, { ...manifest, metadata: { name, labels: { app: 'b' } } })
    expect((await stored(kind)).metadata.labels).toEqual({ team: 'a', app: 'b' })
    expect(await installDefinition(client, manifest)).toMatchObject({ written: 'updated' })
    expect((await stored(kind)).metadata.labels).toEqual({ team: 'a' })
    expect(await installDefinition(client, manifest)).toMatchObject({ written: 'nothing' })
  })

  it('refuses a change that breaks what is there, and says which and how to force it', async () => {
    const kind = kindOf(ports)
    await installDefinition(client, definitionManifest(kind))
    const narrower = definitionManifest({ ...kind, spec: z.object({ port: z.int().min(1024).default(8080) }) })
    const error = await installDefinition(client, narrower).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BreakingChangeError)
    expect(String(error)).toMatch(/v1 spec\.port: minimum changes from 1 to 1024.*\n.*allowBreaking: true/)
    expect(JSON.stringify(await stored(kind))).not.toContain('"minimum":1024')
    const forced = await installDefinition(client, narrower, { allowBreaking: true })
    expect(forced.written).toBe('updated')
    expect(forced.changes.map((change) => change.breaking)).toEqual([true, false])
    expect(JSON.stringify(await stored(kind))).toContain('"minimum":1024')
  })

  it('refuses a version that replaces the one objects are stored in', async () => {
    const kind = kindOf(ports)
    await installDefinition(client, definitionManifest(kind))
    await expect(installDefinition(client, definitionManifest({ ...kind, version: 'v2' }))).rejects.toThrow(
      /spec\.versions\[v1\]: the version goes \(it is among status\.storedVersions/,
    )
  })

  it('is safe when several processes do it at once', async () => {
    const kind = kindOf(ports)
    const clients = Array.from({ length: 5 }, () => server.connect())
    const install = () => Promise.all(clients.map((one) => installDefinition(one, definitionManifest(kind))))
    const first = await install()
    expect(first.map(({ written }) => written).sort()).toEqual(['created', 'nothing', 'nothing', 'nothing', 'nothing'])
    kind.spec = ports.extend({ more: z.string().optional() })
    const second = await install()
    expect(second.filter(({ written }) => written === 'updated')).toHaveLength(1)
  })

  it('waits for a definition that is going, then makes it anew', async () => {
    const kind = kindOf(ports)
    const manifest = definitionManifest(kind)
    const name = manifest.metadata.name ?? ''
    const before = (await installDefinition(client, manifest)).definition
    const things = client.resourceOf('install.test/v1', kind.kind)
    await things.create({ metadata: { name: 'held', namespace: 'default', finalizers: ['install.test/hold'] } })
    await definitions().delete({ name })
    const again = installDefinition(client, manifest)
    await things.patch({ name: 'held', namespace: 'default' }, { metadata: { finalizers: null } })
    const { written, definition } = await again
    expect(written).toBe('created')
    expect(definition.metadata.uid).not.toBe(before.metadata.uid)
  })

  it('says that names are taken instead of waiting for ever', async () => {
    const kind = kindOf(ports)
    await installDefinition(client, definitionManifest(kind))
    const other = definitionManifest({ ...kind, names: { plural: 'somethingelse' } })
    await expect(installDefinition(client, other)).rejects.toThrow(/names of the definition somethingelse.* are taken/)
  })

  it('passes on why the server refuses a definition', async () => {
    const manifest = definitionManifest(kindOf(ports))
    const error = await installDefinition(client, { ...manifest, metadata: { name: 'wrong' } }).catch((e: unknown) => e)
    expect(isStatusError(error, 'Invalid')).toBe(true)
  })

  it('takes definitions only', async () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }
    await expect(installDefinition(client, map)).rejects.toThrow('has to be a CustomResourceDefinition, not ConfigMap')
  })

  it('ends when its signal aborts', async () => {
    const signal = AbortSignal.abort(new Error('over'))
    await expect(installDefinition(client, definitionManifest(kindOf(ports)), { signal })).rejects.toThrow()
  })

  it('ends when the kind is not served in time', async () => {
    const kind = kindOf(ports)
    await installDefinition(client, definitionManifest(kind))
    const clock = new ManualClock(0)
    const blind: Client = { ...client, resourceOf: (a, k) => client.resourceOf(a, k), discover: async () => undefined }
    let outcome: string | undefined
    installDefinition(blind, definitionManifest(kind), { clock, timeout: '2s' }).catch((error: unknown) => {
      outcome = String(error)
    })
    const message = await eventually(() => {
      clock.advance(50)
      return outcome
    })
    expect(message).toMatch(/is not served after 2s/)
  })
})
