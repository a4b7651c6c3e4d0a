import { testEnv } from '@homeostat/testing'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operator } from '../functional/operator.ts'
import { type Absent, isKept } from './kept-form.ts'

const rows: [string, boolean, unknown, unknown, Absent?][] = [
  ['the same', true, { a: [1, { b: 'c' }] }, { a: [1, { b: 'c' }] }],
  ['something else', false, { a: 'b' }, { a: 'c' }],
  ['more, which has to go', false, { a: 'b' }, { a: 'b', c: 'd' }],
  ['less', false, { a: 'b', c: 'd' }, { a: 'b' }],
  ['an amount in another spelling', true, { requests: { cpu: 0.5 } }, { requests: { cpu: '500m' } }],
  ['another amount', false, { limits: { memory: '1Gi' } }, { limits: { memory: '1G' } }],
  ['an amount where none is expected', false, { data: { a: '1000' } }, { data: { a: '1k' } }],
  ['no amount where one is expected', false, { limits: { a: 'x' } }, { limits: { a: 'y' } }],
  ['an empty text that was left out', true, { env: [{ value: '' }] }, { env: [{}] }, [['env', 0, 'value']]],
  ['an empty list that is null', true, { rules: [] }, { rules: null }, [['rules']]],
  ['false that was left out', true, { a: false }, {}, [['a']]],
  ['false that is not ours', false, { a: false }, {}],
  ['an empty text of another item', false, { env: [{ value: '' }] }, { env: [{}] }, [['env', 1, 'value']]],
  ['a text that is not there', false, { a: 'b' }, {}, [['a']]],
  ['an item less', false, { a: [1, 2] }, { a: [1] }],
  ['a list instead of fields', false, { a: {} }, { a: [1] }],
  ['a default', true, { fieldRef: { fieldPath: 'x' } }, { fieldRef: { fieldPath: 'x', apiVersion: 'v1' } }],
  ['no default', false, { fieldRef: { fieldPath: 'x' } }, { fieldRef: { fieldPath: 'x', apiVersion: 'v2' } }],
  ['a default of items', true, { ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'TCP' }] }],
  ['what is no default of items', false, { ports: [{ port: 80 }] }, { ports: [{ port: 80, protocol: 'UDP' }] }],
  [
    'a template with what every claim has',
    true,
    { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1024Mi' } } } }] },
    {
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          spec: { resources: { requests: { storage: '1Gi' } }, volumeMode: 'Filesystem' },
          status: { phase: 'Pending' },
        },
      ],
    },
  ],
]

describe('what is wanted is kept already', () => {
  it.each(rows)('when there is %s: %s', (_, kept, wanted, owned, absent = []) => {
    expect(isKept(wanted, owned, absent)).toBe(kept)
  })
})

const labels = { app: 'a' }
const pod = {
  nodeSelector: {},
  containers: [
    {
      name: 'a',
      image: 'a',
      env: [
        { name: 'EMPTY', value: '' },
        { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ],
      resources: { requests: { cpu: 0.5, memory: '1024Mi' } },
      volumeMounts: [{ name: 'a', mountPath: '/a', readOnly: false }],
    },
  ],
  volumes: [{ name: 'a', emptyDir: { sizeLimit: '0.5Gi' } }],
}

const rich = operator('ex.io/v1/Rich', { spec: z.object({}) }, ({ child }) => [
  child('apps/v1', 'Deployment', {
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  }),
  child('networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } }),
  child('rbac.authorization.k8s.io/v1', 'Role', { rules: [] }),
])

it('an operator that starts again writes nothing, in whatever form the server keeps what it wants', async () => {
  await using env = await testEnv()
  const operators = env.run(rich, { name: 'rich' })
  await operators.ready
  await env.apply({ apiVersion: 'ex.io/v1', kind: 'Rich', metadata: { name: 'a', namespace: 'default' }, spec: {} })
  await env.until(
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', name: 'a', namespace: 'default' },
    () => true,
  )
  await env.settled()
  await operators.close()
  env.takeWrites()
  await env.run(rich, { name: 'rich' }).ready
  await env.settled()
  expect(env.takeWrites()).toEqual([])
})
