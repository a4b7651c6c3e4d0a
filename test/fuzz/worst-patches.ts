// Patches and applies that make much of little.

import {
  type Answer,
  APPLY_PATCH,
  BLOBS,
  blobText,
  type Client,
  CONFIG_MAPS,
  fill,
  fillApplied,
  fresh,
  items,
  JSON_PATCH,
  MERGE_PATCH,
  STRATEGIC_PATCH,
  type WorstCase,
} from './worst-case.ts'

/** Patches an object of this spec, which is made first. */
function patches(name: string, spec: string, patch: unknown, type = JSON_PATCH, query = ''): WorstCase {
  let at = ''
  return {
    name,
    async prepare({ send }) {
      at = fresh()
      const { status, text } = await send('POST', BLOBS, blobText(at, spec))
      if (status !== 201) throw new Error(text.slice(0, 300))
    },
    act: ({ send }) => send('PATCH', `${BLOBS}/${at}${query}`, patch, type),
  }
}

const LONG = `{"anything":[${fill(() => '1', 100_000)}]}`
const WIDE = `{"free":{${fill((i) => `"k${i}":1`, 500_000)}}}`
const MANY = 10_000

/** Applies this spec, as a second manager where there is a first one. */
function applies(name: string, specs: readonly string[], force = true): WorstCase {
  const apply = ({ send }: Client, at: string, round: number): Promise<Answer> =>
    send('PATCH', `${BLOBS}/${at}?fieldManager=m${round}&force=${force}`, blobText(at, specs[round] ?? ''), APPLY_PATCH)
  let at = ''
  return {
    name: `apply ${name}`,
    async prepare(client) {
      at = fresh()
      for (let i = 0; i < specs.length - 1; i++) await apply(client, at, i)
    },
    act: (client) => apply(client, at, specs.length - 1),
  }
}

/** Replaces an object by another. */
function replaces(name: string, before: string, after: string): WorstCase {
  let at = ''
  return {
    name: `replace ${name}`,
    prepare: ({ send }) => {
      at = fresh()
      return send('POST', BLOBS, blobText(at, before))
    },
    async act({ send }) {
      const { text } = await send('GET', `${BLOBS}/${at}`, undefined, 'application/json')
      const version = /"resourceVersion":"(\d+)"/.exec(text)?.[1]
      return send('PUT', `${BLOBS}/${at}`, blobText(at, after, `,"resourceVersion":"${version}"`))
    },
  }
}

const set = (from: number, size = 500_000, filled = fill) => `{"set":[${filled((i) => `"v${i + from}"`, size)}]}`
const map = (from: number, n: number, size = 500_000, filled = fill) =>
  `{"map":[${filled((i) => `{"name":"${i + from}","n":${n}}`, size)}]}`
const appliedSet = (from: number) => set(from, 500_000, fillApplied)
const appliedMap = (from: number, n: number) => map(from, n, 500_000, fillApplied)
const APPLIED_WIDE = `{"free":{${fillApplied((i) => `"k${i}":1`, 500_000)}}}`

export const patchCases: readonly WorstCase[] = [
  patches(
    'adds at the start of a long list',
    LONG,
    items(MANY, () => ({ op: 'add', path: '/spec/anything/0', value: 1 })),
  ),
  patches(
    'adds at the end of a long list',
    LONG,
    items(MANY, () => ({ op: 'add', path: '/spec/anything/-', value: 1 })),
  ),
  patches(
    'moves from end to start',
    LONG,
    items(MANY, () => ({ op: 'move', from: '/spec/anything/-1', path: '/spec/anything/0' })),
  ),
  patches(
    'removes from the start',
    LONG,
    items(MANY, () => ({ op: 'remove', path: '/spec/anything/0' })),
  ),
  patches(
    'copies a list into itself',
    LONG,
    items(MANY, () => ({ op: 'copy', from: '/spec/anything', path: '/spec/anything/0' })),
  ),
  patches(
    'copies that double',
    '{"free":{"a":[1,2,3]}}',
    items(MANY, (i) => ({ op: 'copy', from: '/spec/free', path: `/spec/free/c${i}` })),
  ),
  patches(
    'copies of little',
    '{"free":{"a":[1]}}',
    items(MANY, (i) => ({ op: 'copy', from: '/spec/free/a', path: `/spec/free/c${i}` })),
  ),
  patches(
    'tests of a wide object against nothing',
    WIDE,
    items(MANY, (i) => ({ op: i ? 'test' : 'add', path: '/spec/free', value: {} })).reverse(),
  ),
  patches(
    'tests of the whole against itself',
    WIDE,
    items(5, () => ({ op: 'test', path: '/spec', value: JSON.parse(WIDE) })),
  ),
  patches(
    'moves of a wide object in and out',
    WIDE,
    items(MANY, (i) =>
      i % 2
        ? { op: 'move', from: '/spec/anything', path: '/spec/free' }
        : { op: 'move', from: '/spec/free', path: '/spec/anything' },
    ),
  ),
  patches(
    'removes keys of a wide object',
    WIDE,
    items(MANY, (i) => ({ op: 'remove', path: `/spec/free/k${i}` })),
  ),
  patches(
    'replaces the whole again and again',
    '{"free":{}}',
    items(MANY, () => ({ op: 'replace', path: '/spec/free', value: { a: { b: 1 } } })),
  ),
  patches('a path of a million steps', '{"free":{}}', [{ op: 'add', path: '/a'.repeat(700_000), value: 1 }]),
  patches(
    'paths full of escapes',
    '{"free":{}}',
    items(1000, () => ({ op: 'test', path: `/spec/free/${'~1~0'.repeat(300)}`, value: null })),
  ),
  patches(
    'deep copies',
    '{"free":{}}',
    items(MANY, (i) => ({ op: 'add', path: `/spec/free${'/a'.repeat(i % 900)}`, value: { a: {} } })),
  ),
  patches('merge of many keys', WIDE, `{"spec":{"free":{${fill((i) => `"m${i}":1`, 500_000)}}}}`, MERGE_PATCH),
  patches(
    'merge that removes many keys',
    WIDE,
    `{"spec":{"free":{${fill((i) => `"k${i}":null`, 500_000)}}}}`,
    MERGE_PATCH,
  ),
  patches(
    'merge of nulls, deep',
    '{"free":{}}',
    `{"spec":{"free":{${fill((i) => `"k${i}":${'{"a":'.repeat(200)}null${'}'.repeat(200)}`)}}}}`,
    MERGE_PATCH,
  ),
  patches('merge of one key in a wide object', WIDE, '{"spec":{"free":{"k1":2}}}', MERGE_PATCH),
  patches('merge of a long set', set(0), set(1).replace('{', '{"spec":{').concat('}'), MERGE_PATCH),
  {
    name: 'strategic patch of long lists',
    prepare: async ({ send }) => {
      await send('DELETE', '/api/v1/namespaces/default/services/wide')
      await send('POST', '/api/v1/namespaces/default/services', {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'wide' },
        spec: { clusterIP: 'None', ports: items(4000, (i) => ({ name: `p${i}`, port: i + 1 })) },
      })
    },
    act: ({ send }) =>
      send(
        'PATCH',
        '/api/v1/namespaces/default/services/wide',
        { spec: { ports: items(4000, (i) => ({ port: i + 3000, name: `p${i + 2999}`, targetPort: 1 })) } },
        STRATEGIC_PATCH,
      ),
  },
  {
    name: 'strategic patch with a long order',
    prepare: ({ send }) =>
      send('POST', CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'ordered', finalizers: items(10_000, (i) => `x.io/${i}`) },
      }),
    act: ({ send }) =>
      send(
        'PATCH',
        `${CONFIG_MAPS}/ordered`,
        {
          metadata: {
            finalizers: items(20_000, (i) => `x.io/${i * 2}`),
            '$setElementOrder/finalizers': items(30_000, (i) => `x.io/${30_000 - i}`),
            '$deleteFromPrimitiveList/finalizers': items(20_000, (i) => `x.io/${i * 3}`),
          },
        },
        STRATEGIC_PATCH,
      ),
  },
  applies('of a long set', [appliedSet(0)]),
  applies('of another long set', [appliedSet(0), appliedSet(1)]),
  applies('of a long set with conflicts', [appliedMap(0, 1), appliedMap(0, 2)], false),
  applies('of a long map', [appliedMap(0, 1)]),
  applies('of another long map', [appliedMap(0, 1), appliedMap(10_000, 2)]),
  applies('that takes away a long map', [appliedMap(0, 1), '{}']),
  applies('of a set with duplicates', [`{"set":[${fillApplied(() => '"a"')}]}`]),
  applies('of a map with duplicates', [`{"map":[${fillApplied(() => '{"name":"a"}')}]}`]),
  applies('of a map of two keys', [`{"pairs":[${fillApplied((i) => `{"port":${i}}`, 1 << 20)}]}`]),
  applies('of a wide object', [APPLIED_WIDE]),
  applies('of a wide object by another', [APPLIED_WIDE, APPLIED_WIDE]),
  applies('of a set in reverse', [appliedSet(0), `{"set":[${items(20_000, (i) => `"v${20_000 - i}"`).join()}]}`]),
  replaces('a long set', set(0, 1 << 20), set(1, 1 << 20)),
  replaces('a long map', map(0, 1, 1 << 20), map(0, 2, 1 << 20)),
  replaces('a wide object', WIDE, WIDE.replaceAll(':1', ':2')),
  replaces('a long list', LONG, LONG.replaceAll('1', '2')),
]
