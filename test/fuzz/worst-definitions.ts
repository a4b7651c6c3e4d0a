// Definitions that take long to check, to publish, or to use for the first time.

import { type Answer, type Client, DEFINITIONS, fill, fillHalf, fresh, items, type WorstCase } from './worst-case.ts'

/** What stands in a definition beside its names: text, since two fields may not share a name in an object. */
interface DefinitionTexts {
  /** All of `versions`. */
  readonly versions: string
  /** More of `names`, with a comma before it. */
  readonly names?: string
}

const version = (root: string, name = 'v1', storage = true, more = '') =>
  `{"name":"${name}","served":true,"storage":${storage},"schema":{"openAPIV3Schema":${root}}${more}}`

async function define({ send }: Client, { versions, names = '' }: DefinitionTexts): Promise<Answer> {
  const plural = `x${fresh('').slice(1)}s`
  const kind = plural.toUpperCase()
  const spec = `{"group":"worst.example.com","scope":"Cluster","names":{"plural":"${plural}","kind":"${kind}"${names}},"versions":[${versions}]}`
  const path = `${DEFINITIONS}/${plural}.worst.example.com`
  const answer = await send(
    'POST',
    DEFINITIONS,
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"${plural}.worst.example.com"},"spec":${spec}}`,
  )
  // What reads a schema only when it is first needed must not take long either.
  if (answer.status === 201) {
    for (let i = 0; i < 50; i++) {
      const { status } = await send('POST', `/apis/worst.example.com/v1/${plural}`, {
        apiVersion: 'worst.example.com/v1',
        kind,
        metadata: { name: 'a' },
        spec: {},
      })
      if (status !== 404) break
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await send('GET', '/openapi/v3/apis/worst.example.com/v1')
    await send('GET', '/openapi/v2')
    // An update compares old and new, and warns only of what is new.
    await send('PATCH', path, { spec: { preserveUnknownFields: false } }, 'application/merge-patch+json')
    await send('PATCH', path, { spec: { names: { shortNames: [`y${plural}`] } } }, 'application/merge-patch+json')
  }
  await send('DELETE', path)
  return answer
}

const definesAll = (name: string, texts: DefinitionTexts): WorstCase => ({
  name: `definition with ${name}`,
  act: (client) => define(client, texts),
})

const definesRoot = (name: string, root: string): WorstCase => definesAll(name, { versions: version(root) })

const defines = (name: string, spec: string): WorstCase => definesRoot(name, object(`"spec":${spec}`))

const object = (properties: string, more = '') => `{"type":"object","properties":{${properties}}${more}}`
const deep = (depth: number): string =>
  `${items(depth, () => '{"type":"object","properties":{"a":').join('')}{"type":"string"}${'}}'.repeat(depth)}`

/** A list type at the bottom of so many objects. */
const deepList = (depth: number): string =>
  `${items(depth, () => '{"type":"object","properties":{"a":').join('')}{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}${'}}'.repeat(depth)}`
export const definitionCases: readonly WorstCase[] = [
  defines('10,000 properties', object(items(10_000, (i) => `"p${i}":{"type":"string"}`).join())),
  defines('as many properties as fit', object(fill((i) => `"p${i}":{"type":"string"}`, 1_400_000))),
  defines('as many properties as nobody accepts', object(fill((i) => `"p${i}":{"type":"string"}`))),
  defines('properties without a type', object(fill((i) => `"p${i}":{}`, 1_400_000))),
  defines('properties of unknown keywords', object(fill((i) => `"p${i}":{"x":1}`, 1_400_000))),
  defines('defaults', object(fill((i) => `"p${i}":{"type":"string","default":"x"}`, 1_400_000))),
  defines('wrong defaults', object(fill((i) => `"p${i}":{"type":"string","default":1}`, 1_400_000))),
  defines(
    'patterns',
    object(fill((i) => `"p${i}":{"type":"string","pattern":"^(a|b)+[0-9]{1,${1 + (i % 50)}}$"}`, 1_400_000)),
  ),
  defines(
    'large patterns',
    object(fill((i) => `"p${i}":{"type":"string","pattern":"((((a{10}){10}){9})|${i})"}`, 300_000)),
  ),
  defines('one pattern of great length', object(`"p":{"type":"string","pattern":"${'(a|b)'.repeat(100_000)}"}`)),
  defines('a large enumeration', object(`"p":{"type":"string","enum":[${fill((i) => `"v${i}"`, 1_400_000)}]}`)),
  defines('an enumeration of one value', object(`"p":{"type":"string","enum":[${fill(() => '"v"', 1_400_000)}]}`)),
  defines(
    'an enumeration of objects',
    object(`"p":{"type":"object","enum":[${fill((i) => `{"a":${i}}`, 1_400_000)}]}`),
  ),
  defines('required names', object('"p":{"type":"string"}', `,"required":[${fill((i) => `"r${i}"`, 1_400_000)}]`)),
  defines(
    'many branches',
    object('"p":{"type":"string"}', `,"anyOf":[${fill((i) => `{"required":["p${i}"]}`, 1_400_000)}]`),
  ),
  defines(
    'branches within branches',
    object(
      '"p":{"type":"string"}',
      `,"anyOf":[${fill(() => `${'{"not":'.repeat(40)}{}${'}'.repeat(40)}`, 1_400_000)}]`,
    ),
  ),
  defines(
    'a default of great size',
    object(
      `"p":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"default":{${fill((i) => `"k${i}":1`, 1_000_000)}}}`,
    ),
  ),
  defines('deep properties', object(fill((i) => `"p${i}":${deep(40)}`, 1_400_000))),
  defines('properties that are too deep', deep(30_000)),
  defines('long descriptions', object(`"p":{"type":"string","description":"${'\\u00e9 \\" '.repeat(100_000)}"}`)),
  defines(
    'lists within lists',
    `${items(45, () => '{"type":"array","items":').join('')}{"type":"string"}${'}'.repeat(45)}`,
  ),
  defines(
    'rules of CEL',
    object(
      '"p":{"type":"string"}',
      `,"x-kubernetes-validations":[${fill(() => '{"rule":"self.p == \'a\'"}', 1_400_000)}]`,
    ),
  ),
  definesRoot('properties at the root', object(fill((i) => `"p${i}":{"type":"string"}`, 1_400_000))),
  defines(
    'properties of an embedded resource',
    object(
      fill((i) => `"p${i}":{"type":"string"}`, 1_400_000),
      ',"x-kubernetes-embedded-resource":true',
    ),
  ),
  defines(
    'branches that name a property of many',
    object(
      fillHalf((i) => `"p${i}":{"type":"string"}`),
      `,"anyOf":[${fillHalf((i) => `{"properties":{"p${i % 1000}":{"minLength":1}}}`)}]`,
    ),
  ),
  defines(
    'metadata of many names',
    object(`"metadata":${object(fill((i) => `"p${i}":{"type":"string"}`, 1_400_000))}`),
  ),
  defines('branches of few keywords', object('"p":{"type":"string"}', `,"anyOf":[${fill(() => '{}', 1_400_000)}]`)),
  defines(
    'map keys',
    `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${items(5000, (i) => `"p${i}"`).join()}],"items":${object(
      items(5000, (i) => `"p${i}":{"type":"string"}`).join(),
      `,"required":[${items(5000, (i) => `"p${i}"`).join()}]`,
    )}}`,
  ),
  defines(
    'map keys that are no properties',
    `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[${fill((i) => `"k${i}"`)}],"items":${object('"a":{"type":"string"}')}}`,
  ),
  defines(
    'rules of CEL about one of many fields',
    object(
      fillHalf((i) => `"p${i}":{"type":"string"}`),
      `,"x-kubernetes-validations":[${fillHalf((i) => `{"rule":"self.p${i} == 'a'","fieldPath":".p${i % 3000}"}`)}]`,
    ),
  ),
  defines('list types far below', object(fill((i) => `"p${i}":${deepList(90)}`, 1_400_000))),
  defines(
    'defaults that take many steps',
    object(
      items(
        20,
        (i) =>
          `"p${i}":{"type":"array","default":[${items(700, () => '1').join()}],"items":{"type":"integer","not":{"anyOf":[${items(300, () => '{"minimum":9}').join()}]}}}`,
      ).join(),
    ),
  ),
  defines(
    'defaults of metadata',
    object(
      `"metadata":${object(`"labels":{"type":"object","additionalProperties":{"type":"string"},"default":{${fill((i) => `"l${i}":"v"`, 700_000)}}}`)},"apiVersion":{"type":"string"},"kind":{"type":"string"}`,
      ',"x-kubernetes-embedded-resource":true',
    ),
  ),
  definesAll('many versions', {
    versions: items(3000, (i) => version('{"type":"object"}', `v${i + 1}`, i === 0)).join(),
  }),
  definesAll('many versions, all deprecated', {
    versions: items(2000, (i) => version('{"type":"object"}', `v${i + 1}`, i === 0, ',"deprecated":true')).join(),
  }),
  definesAll('versions that share a large schema', {
    versions: items(8, (i) =>
      version(object(items(1500, (j) => `"p${j}":{"type":"string"}`).join()), `v${i + 1}`, i === 0),
    ).join(),
  }),
  definesAll('versions of different large schemas', {
    versions: items(8, (i) =>
      version(object(items(1500, (j) => `"p${i}-${j}":{"type":"string"}`).join()), `v${i + 1}`, i === 0),
    ).join(),
  }),
  definesAll('many short names', {
    versions: version('{"type":"object"}'),
    names: `,"shortNames":[${fill((i) => `"s${i}"`)}]`,
  }),
  definesAll('many categories', {
    versions: version('{"type":"object"}'),
    names: `,"categories":[${fill((i) => `"c${i}"`)}]`,
  }),
  definesAll('many columns', {
    versions: version(
      '{"type":"object"}',
      'v1',
      true,
      `,"additionalPrinterColumns":[${fill((i) => `{"name":"c${i}","type":"string","jsonPath":".spec.p${i}"}`)}]`,
    ),
  }),
  definesAll('many selectable fields', {
    versions: version(
      object(`"spec":${object(fillHalf((i) => `"p${i}":{"type":"string"}`))}`),
      'v1',
      true,
      `,"selectableFields":[${fillHalf((i) => `{"jsonPath":".spec.p${i}"}`)}]`,
    ),
  }),
]
