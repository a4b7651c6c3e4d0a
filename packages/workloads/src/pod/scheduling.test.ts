import { expect, it } from 'vitest'
import type { Node, PodSpec } from '../kinds.ts'
import { type Place, type Placement, placePod } from './scheduling.ts'

function place(name: string, isDefault: boolean, labels: Record<string, string> = {}, spec: Node['spec'] = {}): Place {
  return { runtime: { name, simulated: name === 'simulated', isDefault }, node: { metadata: { labels }, spec } }
}

const places = [place('simulated', true, { zone: 'a' }), place('process', false, { zone: 'a', disk: 'ssd' })]

it.each<[string, PodSpec, Placement]>([
  ['is bound to the default', {}, { act: 'bind', node: 'homeostat' }],
  [
    'is bound to the node of the runtime it names',
    { runtimeClassName: 'process' },
    { act: 'bind', node: 'homeostat-process' },
  ],
  ['is bound to the node it selects', { nodeSelector: { disk: 'ssd' } }, { act: 'bind', node: 'homeostat-process' }],
  [
    'is bound to the default if it selects that too',
    { nodeSelector: { zone: 'a' } },
    { act: 'bind', node: 'homeostat' },
  ],
  ['runs once it is', { nodeName: 'homeostat' }, { act: 'run', runtime: 'simulated' }],
  ['runs on the runtime of its node', { nodeName: 'homeostat-process' }, { act: 'run', runtime: 'process' }],
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
    'whose runtime is gone is refused',
    { nodeName: 'homeostat', runtimeClassName: 'docker' },
    {
      act: 'refuse',
      message:
        'runtimeClassName "docker" is not known here: use one of simulated, process, or leave it out for simulated',
    },
  ],
  [
    'for another node is refused',
    { nodeSelector: { disk: 'tape', zone: 'a' } },
    {
      act: 'refuse',
      message: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector (disk=tape)",
    },
  ],
])('a pod %s', (_, spec, expected) => {
  expect(placePod({ apiVersion: 'v1', kind: 'Pod', metadata: {}, spec }, places)).toEqual(expected)
})

it.each<[string, Node['spec'], PodSpec, string]>([
  ['were unschedulable', { unschedulable: true }, {}, '1 node(s) were unschedulable'],
  [
    'had untolerated taint',
    { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
    {},
    '1 node(s) had untolerated taint {gpu: yes}',
  ],
])('a node that is closed is said to be so: %s', (_, node, spec, reason) => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec }
  // A pod that says nothing never leaves the default, whatever else is free.
  const all = [place('simulated', true, {}, node), place('process', false)]
  expect(placePod(pod, all)).toEqual({ act: 'refuse', message: `0/1 nodes are available: ${reason}` })
})

it('a toleration opens a node', () => {
  const all = [place('simulated', true, {}, { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] })]
  for (const toleration of [{ operator: 'Exists' }, { key: 'gpu', operator: 'Exists' }, { key: 'gpu', value: 'yes' }]) {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { tolerations: [toleration] } }
    expect(placePod(pod, all)).toEqual({ act: 'bind', node: 'homeostat' })
  }
})
