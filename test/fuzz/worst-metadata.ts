// Metadata of great length, and questions about it.

import {
  APPLY_PATCH,
  BLOBS,
  blob,
  blobText,
  type Client,
  CONFIG_MAPS,
  creates,
  fill,
  fresh,
  items,
  type WorstCase,
} from './worst-case.ts'

const uid = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
const owner = (i: number) => `{"apiVersion":"v1","kind":"ConfigMap","name":"o${i}","uid":"${uid(i)}"}`
const fieldsEntry = (i: number, fields = '') =>
  `{"manager":"m${i}","operation":"Update","apiVersion":"fuzz.example.com/v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{${fields}}}`

async function writeTwice({ send }: Client, metadata: (round: number) => string) {
  const name = fresh()
  await send('POST', BLOBS, blobText(name, '{}', metadata(0)))
  return send('PATCH', `${BLOBS}/${name}`, `{"metadata":{"x":1${metadata(1)}}}`, 'application/merge-patch+json')
}

export const metadataCases: readonly WorstCase[] = [
  creates('labels', '{}', `,"labels":{${fill((i) => `"l${i}":"v${i}"`)}}`),
  creates('labels in 1 MiB', '{}', `,"labels":{${fill((i) => `"l${i}":"v${i}"`, 1 << 20)}}`),
  creates('labels that are wrong', '{}', `,"labels":{${fill((i) => `"-l${i}":"!"`)}}`),
  creates('one label of great length', '{}', `,"labels":{"${'a/'.repeat(400_000)}":"${'x.'.repeat(400_000)}"}`),
  creates('annotations', '{}', `,"annotations":{${fill((i) => `"a${i}":""`, 250_000)}}`),
  creates('annotations that are wrong', '{}', `,"annotations":{${fill((i) => `"/${i}":""`)}}`),
  creates('finalizers', '{}', `,"finalizers":[${fill((i) => `"example.com/f${i}"`)}]`),
  creates('finalizers that are wrong', '{}', `,"finalizers":[${fill((i) => `"F ${i}"`)}]`),
  creates('owners', '{}', `,"ownerReferences":[${fill(owner)}]`),
  creates('owners in 1 MiB', '{}', `,"ownerReferences":[${fill(owner, 1 << 20)}]`),
  creates('owners, all the same', '{}', `,"ownerReferences":[${fill(() => owner(1))}]`),
  creates('owners that are wrong', '{}', `,"ownerReferences":[${fill(() => '{}')}]`),
  creates('managed fields', '{}', `,"managedFields":[${fill((i) => fieldsEntry(i))}]`),
  creates(
    'managed fields of many names',
    '{}',
    `,"managedFields":[${fieldsEntry(
      1,
      fill((i) => `"f:k${i}":{}`),
    )}]`,
  ),
  creates(
    'managed fields of many items',
    '{}',
    `,"managedFields":[${fieldsEntry(1, `"f:spec":{"f:map":{${fill((i) => `"k:{\\"name\\":\\"${i}\\"}":{}`)}}}`)}]`,
  ),
  creates(
    'managed fields of many values',
    '{}',
    `,"managedFields":[${fieldsEntry(1, `"f:spec":{"f:set":{${fill((i) => `"v:\\"${i}\\"":{}`)}}}`)}]`,
  ),
  creates(
    'managed fields, deep',
    '{}',
    `,"managedFields":[${fieldsEntry(
      1,
      fill((i) => `"f:k${i}":${'{"f:a":'.repeat(300)}{}${'}'.repeat(300)}`),
    )}]`,
  ),
  creates('a name of great length', '{}', `,"name":"${'a'.repeat(2_000_000)}"`),
  creates('a namespace of great length', '{}', `,"namespace":"${'a'.repeat(2_000_000)}"`),
  creates('unknown metadata', '{}', `,${fill((i) => `"x${i}":1`)}`),
  {
    name: 'other labels',
    act: (client) => writeTwice(client, (round) => `,"labels":{${fill((i) => `"l${round}-${i}":"v"`, 700_000)}}`),
  },
  {
    name: 'other finalizers',
    act: (client) => writeTwice(client, (round) => `,"finalizers":[${fill((i) => `"x.io/${round}-${i}"`, 700_000)}]`),
  },
  {
    name: 'other owners',
    act: (client) =>
      writeTwice(client, (round) => `,"ownerReferences":[${fill((i) => owner(i * 2 + round), 700_000)}]`),
  },
  {
    name: 'an apply that owns finalizers',
    act: ({ send }) => {
      const name = fresh()
      const body = blobText(name, '{}', `,"finalizers":[${fill((i) => `"x.io/${i}"`, 700_000)}]`)
      return send('PATCH', `${BLOBS}/${name}?fieldManager=x`, body, APPLY_PATCH)
    },
  },
  {
    name: 'a config map of many keys',
    act: ({ send }) =>
      send('POST', CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: fresh('c') },
        data: Object.fromEntries(items(60_000, (i) => [`key-${i}`, 'v'])),
      }),
  },
]

const question = (name: string, query: string, path = BLOBS): WorstCase => ({
  name,
  prepare: ({ send }) =>
    send('POST', BLOBS, blob(fresh(), {}, { labels: Object.fromEntries(items(500, (i) => [`l${i}`, 'v'])) })),
  act: ({ send }) => send('GET', `${path}?${query}`),
})

export const listCases: readonly WorstCase[] = [
  question('a label selector of many terms', `labelSelector=${fill((i) => `l${i}`, 60_000)}`),
  question('a label selector of many values', `labelSelector=l1+in+(${fill((i) => `v${i}`, 60_000)})`),
  question('a label selector of brackets', `labelSelector=${'('.repeat(60_000)}`),
  question('a label selector of commas', `labelSelector=${','.repeat(60_000)}`),
  question('a label selector of spaces', `labelSelector=a${'+'.repeat(60_000)}b`),
  question('a field selector of many terms', `fieldSelector=${fill((i) => `metadata.name!=x${i}`, 60_000)}`),
  question('a field selector of backslashes', `fieldSelector=metadata.name=${'\\'.repeat(60_000)}`),
  question('a continue token of nonsense', `limit=1&continue=${'A'.repeat(60_000)}`),
  question('a resource version of many digits', `resourceVersion=${'9'.repeat(60_000)}`),
  question('many parameters', items(15_000, (i) => `a${i}`).join('&')),
  question('parameters full of escapes', `labelSelector=${'%2C'.repeat(20_000)}`),
]
