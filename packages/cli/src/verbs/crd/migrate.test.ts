import { startApiServer } from '@homeostat/apiserver'
import { type ApiObject, createClient } from '@homeostat/client'
import { nodeTransport } from '@homeostat/client/node'
import { MemoryStore } from '@homeostat/store'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fakeTerminal, runOn } from '../../terminal.fixture.ts'
import { type TestCommand, testCommand } from '../colony.fixture.ts'

let command: TestCommand
beforeAll(async () => {
  command = await testCommand()
})
afterAll(() => command[Symbol.asyncDispose]())

interface Definition extends ApiObject {
  spec: { versions: { name: string; storage: boolean; schema: object }[] }
  status: { storedVersions: string[] }
}
type Lamp = ApiObject & { spec: { level: number } }

const definitions = () => command.client.resourceOf<Definition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
const lamps = (version: string) => command.client.resourceOf<Lamp>(`${version}.ex.io/v1`, 'Lamp')
const place = (name: string) => ({ name, namespace: 'default' })

const schema = (level: object) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { level: { type: 'integer', ...level } } } },
  },
})

function specOf(group: string) {
  const versions = ['v1', 'v2'].map((version) => ({
    name: version,
    served: true,
    storage: version === 'v1',
    schema: schema({}),
  }))
  const names = { plural: 'lamps', singular: 'lamp', kind: 'Lamp' }
  return { group: `${group}.ex.io`, scope: 'Namespaced', names, versions }
}

/** A kind whose storage version has moved from v1 to v2 while so many objects were stored. */
async function moved(group: string, count: number): Promise<string> {
  const name = `lamps.${group}.ex.io`
  await command.withInput(
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: specOf(group),
    },
    ...['crd', 'create', '-f', '-'],
  )
  const made = Array.from({ length: count }, (_, level) =>
    lamps(group).create({
      apiVersion: `${group}.ex.io/v1`,
      kind: 'Lamp',
      metadata: { ...place(`l-${level}`) },
      spec: { level },
    }),
  )
  await Promise.all(made)
  await change(name, ({ spec }) => {
    for (const one of spec.versions) one.storage = one.name === 'v2'
  })
  return name
}

async function change(name: string, edit: (definition: Definition) => void): Promise<Definition> {
  const definition = await definitions().get({ name })
  edit(definition)
  return definitions().update(definition)
}

test('all objects are stored in the storage version, once, beside other writers; then the old version may go', async () => {
  const { homeostat } = command
  const name = await moved('many', 300)
  expect((await definitions().get({ name })).status.storedVersions).toEqual(['v1', 'v2'])
  let isOver = false
  const writers = [0, 1, 2].map(async (writer) => {
    let writes = 0
    for (; !isOver; writes++) await lamps('many').patch(place(`l-${writer}`), { spec: { level: 1000 + writes } })
    return writes
  })
  const shown = await homeostat('crd', 'migrate', name)
  isOver = true
  const writes = await Promise.all(writers)
  expect(shown).toMatchObject({ code: 0, error: '' })
  const [, rewritten, stayed = '0'] =
    /^lamps\.many\.ex\.io: (\d+) stored in v2(?:, (\d+) were already)?; v1 may go/.exec(shown.out) ?? []
  expect(Number(rewritten) + Number(stayed)).toBe(300)
  expect(Number(rewritten)).toBeGreaterThanOrEqual(297)
  expect((await definitions().get({ name })).status.storedVersions).toEqual(['v2'])
  const { items } = await lamps('many').list()
  const levels = new Map(items.map(({ metadata, spec }) => [metadata.name, spec.level]))
  for (let i = 3; i < 300; i++) expect(levels.get(`l-${i}`)).toBe(i)
  for (const [writer, count] of writes.entries())
    expect(levels.get(`l-${writer}`)).toBe(count === 0 ? writer : 999 + count)
  // A generation is a change of the spec, which a migration is not.
  expect(items.find(({ metadata }) => metadata.name === 'l-9')?.metadata.generation).toBe(1)
  expect(await homeostat('crd', 'migrate', name)).toMatchObject({
    code: 0,
    out: `${name}: all objects are stored in v2\n`,
  })
  await change(name, ({ spec }) => void spec.versions.shift())
})

/** A server of its own, whose kind has a conversion webhook in this process. */
async function converting(answer: (name: string) => Promise<void>) {
  const store = new MemoryStore()
  const server = await startApiServer({ store, host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${server.address.port}`
  const client = createClient(nodeTransport({ url }))
  onTestFinished(async () => {
    client.close()
    await server.close()
    await store.close()
  })
  server.serveWebhooks('convert.test', async (_, body) => {
    const { apiVersion, kind, request } = JSON.parse(body)
    for (const { metadata } of request.objects) await answer(metadata.name)
    const convertedObjects = request.objects.map((object: object) => ({
      ...object,
      apiVersion: request.desiredAPIVersion,
    }))
    return JSON.stringify({
      apiVersion,
      kind,
      response: { uid: request.uid, result: { status: 'Success' }, convertedObjects },
    })
  })
  const name = 'lamps.hooked.ex.io'
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: { url: 'https://convert.test/' }, conversionReviewVersions: ['v1'] },
  }
  const spec = { ...specOf('hooked'), conversion }
  const kinds = client.resourceOf<Definition>('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
  await kinds.create({ metadata: { name }, spec } as never)
  const homeostat = (...argv: string[]) => runOn(fakeTerminal({ env: { HOMEOSTAT_SERVER: url } }), argv)
  await homeostat('wait', 'crd', name, '--for=condition=Established')
  const made = client.resourceOf<Lamp>('hooked.ex.io/v1', 'Lamp')
  for (let level = 0; level < 5; level++) await made.create({ metadata: place(`l-${level}`), spec: { level } } as never)
  const definition = await kinds.get({ name })
  for (const one of definition.spec.versions) one.storage = one.name === 'v2'
  await kinds.update(definition)
  /** A webhook for updates, in this process. */
  const serveWebhook = async (refuse: (name: string) => object | undefined) => {
    server.serveWebhooks('admit.test', async (_, body) => {
      const { apiVersion, kind, request } = JSON.parse(body)
      const status = refuse(request.name)
      const response = { uid: request.uid, allowed: status === undefined, ...(status && { status }) }
      return JSON.stringify({ apiVersion, kind, response })
    })
    const webhook = {
      name: 'frozen.hooks.test',
      clientConfig: { url: 'https://admit.test/' },
      rules: [{ operations: ['UPDATE'], apiGroups: ['hooked.ex.io'], apiVersions: ['*'], resources: ['lamps'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    }
    await client
      .resourceOf('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration')
      .create({ metadata: { name: 'frozen' }, webhooks: [webhook] } as never)
  }
  return { homeostat, kinds, name, serveWebhook }
}

test('an object that cannot be stored anew is named, the others are stored, and the old version stays', async () => {
  let isBroken = true
  const { homeostat, kinds, name } = await converting(async (object) => {
    if (isBroken && object === 'l-3') throw new Error('l-3 has no address')
  })
  const shown = await homeostat('crd', 'migrate', name)
  expect(shown).toMatchObject({ code: 1, out: '' })
  expect(shown.error).toContain(`${name}: 1 object could not be stored anew, 4 were; default/l-3 first: `)
  expect(shown.error).toContain('l-3 has no address')
  expect((await kinds.get({ name })).status.storedVersions).toEqual(['v1', 'v2'])
  isBroken = false
  const again = await homeostat('crd', 'migrate', name)
  expect(again).toMatchObject({
    code: 0,
    out: `${name}: 1 stored in v2, 4 were already; v1 may go from spec.versions\n`,
  })
  expect((await kinds.get({ name })).status.storedVersions).toEqual(['v2'])
})

test.each([
  ['Conflict', 409],
  ['NotFound', 404],
])(
  'an object whose write a webhook refuses with %s is not taken for one that others wrote or deleted',
  async (reason, code) => {
    const { homeostat, kinds, name, serveWebhook } = await converting(async () => {})
    await serveWebhook((object) => (object === 'l-2' ? { reason, code, message: 'l-2 is frozen' } : undefined))
    const shown = await homeostat('crd', 'migrate', name)
    expect(shown).toMatchObject({ code: 1, out: '' })
    expect(shown.error).toContain('l-2 is frozen')
    expect((await kinds.get({ name })).status.storedVersions).toEqual(['v1', 'v2'])
  },
)

test('a definition that changes meanwhile is not said to be migrated', async () => {
  let isFirst = true
  const started = await converting(async () => {
    if (!isFirst) return
    isFirst = false
    const definition = await started.kinds.get({ name: started.name })
    for (const one of definition.spec.versions) one.schema = schema({ minimum: -100 })
    await started.kinds.update(definition)
  })
  const { homeostat, kinds, name } = started
  expect(await homeostat('crd', 'migrate', name)).toMatchObject({
    code: 1,
    error: expect.stringContaining('meanwhile; run it again'),
  })
  expect((await kinds.get({ name })).status.storedVersions).toEqual(['v1', 'v2'])
  expect(await homeostat('crd', 'migrate', name)).toMatchObject({ code: 0 })
  expect((await kinds.get({ name })).status.storedVersions).toEqual(['v2'])
})

test('what is not there is said', async () => {
  expect(await command.homeostat('crd', 'migrate', 'nothing')).toMatchObject({
    code: 3,
    error: expect.stringContaining("there is no definition 'nothing'"),
  })
})
