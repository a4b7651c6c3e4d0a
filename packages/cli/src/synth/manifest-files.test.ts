import type { RunDescription } from '@homeostat/operator/host'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { manifestFiles } from './manifest-files.ts'

const options = { name: 'a', namespace: 'default', image: 'a:1', withNamespace: false }

const run = (values: readonly unknown[]): RunDescription => ({
  name: 'a',
  kinds: [],
  definitions: [{ apiVersion: 'v1', kind: 'X', metadata: { name: 'xs.ex.io' }, values } as never],
  leaderElection: false,
  shards: false,
  shutdownMs: 0,
  rules: [],
})

test('words and numbers stay what they are for the YAML of Kubernetes', () => {
  const values = [
    'on',
    'off',
    'yes',
    'no',
    'y',
    'null',
    '~',
    '010',
    '1e3',
    '12:30',
    '',
    'a: b',
    '# no',
    'ü',
    true,
    1.5,
    null,
  ]
  const text = manifestFiles([run(values)], options).get('xs.ex.io.yaml') ?? ''
  for (const version of ['1.1', '1.2'] as const) {
    expect(parseDocument(text, { version }).toJS().values).toEqual(values)
  }
})

test('what occurs twice is written twice, and no line is folded', () => {
  const shared = { text: 'word '.repeat(60).trim() }
  const text = manifestFiles([run([shared, shared])], options).get('xs.ex.io.yaml') ?? ''
  expect(text).not.toMatch(/[&*]a\d/)
  expect(text.match(/text: (word ){59}word$/gm)).toHaveLength(2)
})
