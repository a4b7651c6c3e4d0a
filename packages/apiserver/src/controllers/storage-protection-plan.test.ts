import type { KubeObject } from '@homeostat/meta'
import { expect, it } from 'vitest'
import { isInUse, type StorageUsers } from './storage-protection-plan.ts'

const named = (name: string, more: object = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name },
  ...more,
})
const nobody: StorageUsers = { pods: [], claims: [], volumes: [] }
const pod = (volume: object, phase = 'Running') => named('p', { spec: { volumes: [volume] }, status: { phase } })
const mounted = { name: 'v', persistentVolumeClaim: { claimName: 'c' } }

it.each<[string, Partial<StorageUsers>, boolean]>([
  ['nobody', {}, false],
  ['a pod that mounts it', { pods: [pod(mounted)] }, true],
  ['a pod that has ended', { pods: [pod(mounted, 'Succeeded')] }, false],
  ['a pod that mounts another', { pods: [pod({ persistentVolumeClaim: { claimName: 'd' } })] }, false],
  ['the pod it was made for', { pods: [pod({ name: 'c', ephemeral: {} })] }, false],
])('a claim is used by %s: %o', (_, users, used) => {
  expect(isInUse('persistentvolumeclaims', named('c'), { ...nobody, ...users })).toBe(used)
})

it('an ephemeral claim is used by the pod whose name it bears', () => {
  const users = { ...nobody, pods: [pod({ name: 'scratch', ephemeral: {} })] }
  expect(isInUse('persistentvolumeclaims', named('p-scratch'), users)).toBe(true)
})

it('a volume is used while it is bound', () => {
  expect(isInUse('persistentvolumes', named('v', { status: { phase: 'Bound' } }), nobody)).toBe(true)
  expect(isInUse('persistentvolumes', named('v', { status: { phase: 'Released' } }), nobody)).toBe(false)
})

it.each<[string, Partial<StorageUsers>, boolean]>([
  ['a claim', { claims: [named('c', { spec: { volumeAttributesClassName: 'gold' } })] }, true],
  [
    'a claim that still has it',
    { claims: [named('c', { status: { currentVolumeAttributesClassName: 'gold' } })] },
    true,
  ],
  ['a volume', { volumes: [named('v', { spec: { volumeAttributesClassName: 'gold' } })] }, true],
  ['nobody', { claims: [named('c', { spec: { volumeAttributesClassName: 'silver' } })] }, false],
])('a class of volume attributes is used by %s', (_, users, used) => {
  expect(isInUse('volumeattributesclasses', named('gold'), { ...nobody, ...users })).toBe(used)
})
