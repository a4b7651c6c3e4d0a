import { expect, it } from 'vitest'
import type { PodSpec } from '../kinds.ts'
import { type Placement, placePod } from './scheduling.ts'

const runtimes = { names: ['simulated', 'process'], byDefault: 'simulated' }

it.each<[string, PodSpec, Placement]>([
  ['is bound', {}, { act: 'bind' }],
  ['runs once it is', { nodeName: 'homeostat' }, { act: 'run', runtime: 'simulated' }],
  ['runs where it says', { nodeName: 'homeostat', runtimeClassName: 'process' }, { act: 'run', runtime: 'process' }],
  ['of another node is left alone', { nodeName: 'other' }, { act: 'leave' }],
  ['with gates waits', { schedulingGates: [{ name: 'x/y' }] }, { act: 'leave' }],
  [
    'for an unknown runtime is refused',
    { runtimeClassName: 'docker' },
    {
      act: 'refuse',
      message:
        'runtimeClassName "docker" is not known here: use one of simulated, process, or leave it out for simulated',
    },
  ],
  [
    'for another node is refused',
    { nodeSelector: { disk: 'ssd', zone: 'a' } },
    {
      act: 'refuse',
      message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector (disk=ssd)",
    },
  ],
])('a pod %s', (_, spec, expected) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec }
  expect(placePod(pod, runtimes, { zone: 'a' })).toEqual(expected)
})
