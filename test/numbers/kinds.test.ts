// Puts numbers at the edges into every numeric field of every kind there is, uses the objects that were accepted, and looks
// whether everything still works: no answer is a 500, and no controller or queue stands still.

import { ALL_TRIES, tries } from '@homeostat/base/testing/tries'
import { expect, it } from 'vitest'
import { publishedKinds } from '../fuzz/kinds.ts'
import { type Kind, PATCH_TYPES, pathOf } from '../fuzz/requests.ts'
import { expectLife } from './life.ts'
import { forEach, NUMBERS, type NumbersServer, startNumbersServer } from './numbers-server.ts'
import { numericPlaces, type Place, withValue } from './numeric-fields.ts'
import { sampleOf } from './sample-objects.ts'

const [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH] = PATCH_TYPES as [string, string, string, string]
const FORMS = [
  'application/json',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
]
const METADATA: readonly Place[] = [
  ['metadata', 'generation'],
  ['metadata', 'deletionGracePeriodSeconds'],
]

it('no number in any field of any kind stops the server', { timeout: 600_000 }, async () => {
  const server = await startNumbersServer()
  const kinds = (await publishedKinds(server.port)).filter(({ root }) => !/auth(entication|orization)/.test(root))
  const accepted = new Map<string, number>()
  for (const kind of kinds) accepted.set(`${kind.apiVersion} ${kind.kind}`, await tryKind(server, kind))
  expect([...accepted.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(tries(1000))
  for (const kind of ['v1 Pod', 'apps/v1 Deployment', 'batch/v1 Job', 'colonies.io/v1 Process', 'v1 Event'])
    expect(accepted.get(kind), kind).toBeGreaterThan(ALL_TRIES ? 10 : 3)
  await expectLife(server)
  expect(server.faults()).toEqual([])
})

/** The template of a pod is one schema and one set of rules, whichever kind has it. */
function isRepeated({ kind }: Kind, place: Place): boolean {
  return kind !== 'Deployment' && place.includes('template') && place.includes('spec', place.indexOf('template'))
}

/** All of them, or a third, in turns: every field gets some, and every number comes to every kind with a few fields. */
function numbersFor(at: number): readonly (number | bigint)[] {
  return ALL_TRIES ? NUMBERS : NUMBERS.filter((_, index) => index % 3 === at % 3)
}

/** How many of the objects were accepted. */
async function tryKind(server: NumbersServer, kind: Kind): Promise<number> {
  const places = numericPlaces(kind.schema, kind.named).filter(
    (place) => place[0] !== 'metadata' && !isRepeated(kind, place),
  )
  const cases = [...places, ...METADATA].flatMap((place, at) => numbersFor(at).map((number) => ({ place, number })))
  const accepted: string[] = []
  await forEach(cases, async ({ place, number }, index) => {
    const name = `n${index}`
    const identity = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name } }
    const object = withValue({ ...sampleOf(kind.apiVersion, kind.kind), ...identity }, place, number)
    const { status } = await server.ask('POST', pathOf(kind), object)
    if (place[0] === 'status') {
      await server.ask('POST', pathOf(kind), { ...sampleOf(kind.apiVersion, kind.kind), ...identity })
      await server.ask('PATCH', `${pathOf(kind, name)}/status`, object, { 'content-type': MERGE_PATCH })
    }
    if (status !== 201) return
    accepted.push(name)
    await use(server, kind, name, object)
  })
  await forEach(FORMS, async (accept) => {
    await server.ask('GET', pathOf(kind), undefined, { accept })
    if (accept !== 'application/yaml') {
      await server.ask('GET', `${pathOf(kind)}?watch=true&timeoutSeconds=1`, undefined, { accept })
    }
  })
  await forEach(accepted, async (name) => {
    await server.ask('DELETE', pathOf(kind, name), { gracePeriodSeconds: 2n ** 63n - 1n })
    await server.ask('DELETE', pathOf(kind, name), { gracePeriodSeconds: -(2n ** 63n) })
    await server.ask('DELETE', `${pathOf(kind, name)}?gracePeriodSeconds=0`)
  })
  if (kind.namespaced) await server.ask('DELETE', pathOf(kind), { gracePeriodSeconds: 0 })
  return accepted.length
}

async function use({ ask }: NumbersServer, kind: Kind, name: string, object: unknown): Promise<void> {
  const path = pathOf(kind, name)
  const patch = (type: string, body: unknown, query = '') =>
    ask('PATCH', `${path}${query}`, body, { 'content-type': type })
  await patch(MERGE_PATCH, { ...(object as object), metadata: { labels: { used: 'yes' } } })
  await patch(APPLY_PATCH, object, '?fieldManager=numbers&force=true')
  // Of these each object gets one, in turns.
  const others = [
    () => ask('GET', `${path}?pretty=true`),
    () => ask('PUT', path, object),
    () => patch(JSON_PATCH, [{ op: 'test', path: '/kind', value: kind.kind }]),
    () => patch(STRATEGIC_PATCH, object),
    () => patch(APPLY_PATCH, object, '?fieldManager=others'),
    () => patch(MERGE_PATCH, { spec: { replicas: 2n ** 63n - 1n } }, '/scale'),
  ]
  await others[Number(name.slice(1)) % others.length]?.()
}
