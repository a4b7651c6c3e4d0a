// Objects that take long to check, and definitions that do.

import { creates, DEFINITIONS, fill, fresh, items, type WorstCase } from './worst-case.ts'

const SIZE = 1_400_000

export const schemaCases: readonly WorstCase[] = [
  creates('a long set', `{"set":[${fill((i) => `"v${i}"`, SIZE)}]}`),
  creates('a long set of one value', `{"set":[${fill(() => '"a"', SIZE)}]}`),
  creates('a long set of wrong types', `{"set":[${fill(() => '{}', SIZE)}]}`),
  creates('a long map', `{"map":[${fill((i) => `{"name":"${i}","n":1}`, SIZE)}]}`),
  creates('a long map of one key', `{"map":[${fill(() => '{"name":"a","n":1}', SIZE)}]}`),
  creates('a long map of two keys', `{"pairs":[${fill((i) => `{"port":${i}}`, SIZE)}]}`),
  creates('a long map of two keys, doubled', `{"pairs":[${fill((i) => `{"port":${i >> 1}}`, SIZE)}]}`),
  creates('many choices', `{"choices":[${fill((i) => `"choice-${4000 + (i % 1000)}"`, SIZE)}]}`),
  creates('many wrong choices', `{"choices":[${fill((i) => `"c${i}"`, SIZE)}]}`),
  creates('many dates', `{"dates":[${fill(() => '"2026-01-01T00:00:00.000000Z"', SIZE)}]}`),
  creates('many wrong dates', `{"dates":[${fill(() => '"2026-01-01T00:00:99Z"', SIZE)}]}`),
  creates('many patterns', `{"words":{${fill((i) => `"k${i}":"abc1"`, SIZE)}}}`),
  creates('one long pattern', `{"words":{"a":"${'a'.repeat(SIZE)}!"}}`),
  creates('one long pattern that fits', `{"words":{"a":"${'a1'.repeat(SIZE / 2)}"}}`),
  creates('many defaults', `{"filled":[${fill(() => '{}', SIZE)}]}`),
  creates('many branches', `{"either":[${fill(() => '{"a":"xy"}', SIZE)}]}`),
  creates('many wrong branches', `{"either":[${fill(() => '{"a":"y","b":"z"}', SIZE)}]}`),
  creates(
    'many embedded objects',
    `{"embedded":[${fill((i) => `{"apiVersion":"v1","kind":"X","metadata":{"name":"n${i}"}}`, SIZE)}]}`,
  ),
  creates('many wrong embedded objects', `{"embedded":[${fill(() => '{"metadata":{"labels":{"-":"-"}}}', SIZE)}]}`),
]

function defines(name: string, root: string): WorstCase {
  return {
    name: `definition with ${name}`,
    act: async ({ send }) => {
      const plural = `x${fresh('').slice(1)}s`
      const schema = `{"openAPIV3Schema":{"type":"object","properties":{"spec":${root}}}}`
      const spec = `{"group":"worst.example.com","scope":"Cluster","names":{"plural":"${plural}","kind":"${plural.toUpperCase()}"},"versions":[{"name":"v1","served":true,"storage":true,"schema":${schema}}]}`
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
            kind: plural.toUpperCase(),
            metadata: { name: 'a' },
            spec: {},
          })
          if (status !== 404) break
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        await send('GET', '/openapi/v3/apis/worst.example.com/v1')
      }
      await send('DELETE', `${DEFINITIONS}/${plural}.worst.example.com`)
      return answer
    },
  }
}

const object = (properties: string, more = '') => `{"type":"object","properties":{${properties}}${more}}`
const deep = (depth: number): string =>
  `${items(depth, () => '{"type":"object","properties":{"a":').join('')}{"type":"string"}${'}}'.repeat(depth)}`

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
]
