// Objects that take long to check against their schema.

import { creates, fill, type WorstCase } from './worst-case.ts'

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
