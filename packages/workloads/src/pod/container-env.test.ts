import { describe, expect, it } from 'vitest'
import type { Container, Pod } from '../kinds.ts'
import { containerEnv, type DataObject } from './container-env.ts'
import { containerUnit } from './container-unit.ts'
import { expand } from './expand.ts'

const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'ns', uid: 'u', labels: { app: 'web' } },
  spec: { nodeName: 'homeostat', serviceAccountName: 'default', terminationGracePeriodSeconds: 7 },
}
const objects: Record<string, Record<string, string>> = {
  'ConfigMap settings': { level: 'debug', color: 'red' },
  'Secret login': { password: Buffer.from('hush').toString('base64') },
}
const read = async (kind: string, name: string): Promise<DataObject | undefined> => {
  const data = objects[`${kind} ${name}`]
  return data && { apiVersion: 'v1', kind, metadata: { name }, data }
}
const env = (container: Partial<Container>) => containerEnv(pod, { name: 'main', ...container }, read)

describe('the environment of a container', () => {
  it('has values, parts of objects, fields of its pod, and refers back', async () => {
    expect(
      await env({
        envFrom: [
          { prefix: 'CFG_', configMapRef: { name: 'settings' } },
          { secretRef: { name: 'no', optional: true } },
        ],
        env: [
          { name: 'PLAIN', value: 'x' },
          { name: 'BACK', value: '$(PLAIN)/$(CFG_level)/$(NOBODY)/$$(PLAIN)' },
          { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } },
          { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } },
          { name: 'NONE', valueFrom: { secretKeyRef: { name: 'login', key: 'no', optional: true } } },
          { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
          { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
        ],
      }),
    ).toEqual({
      CFG_level: 'debug',
      CFG_color: 'red',
      PLAIN: 'x',
      BACK: 'x/debug/$(NOBODY)/$(PLAIN)',
      LEVEL: 'debug',
      PASSWORD: 'hush',
      NAME: 'p',
      APP: 'web',
      NODE: 'homeostat',
    })
  })

  it.each<[string, Partial<Container>, string]>([
    ['a missing object', { envFrom: [{ configMapRef: { name: 'gone' } }] }, 'configmap "gone" not found'],
    [
      'a missing key',
      { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'login', key: 'user' } } }] },
      "couldn't find key user in Secret ns/login",
    ],
    [
      'an address it does not have',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }] },
      'the field status.podIP is not known here',
    ],
    [
      'its limits',
      { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] },
      'resourceFieldRef is not supported here',
    ],
  ])('that asks for %s is refused in words', async (_, container, message) => {
    await expect(env(container)).rejects.toThrow(message)
  })
})

describe('a container as a unit', () => {
  const unitOf = (
    container: Partial<Container>,
    simulated = false,
    volumes: NonNullable<Pod['spec']>['volumes'] = [],
  ) =>
    containerUnit(
      { ...pod, spec: { ...pod.spec, volumes } },
      { name: 'main', ...container },
      3,
      { A: '1' },
      { simulated },
    )

  it('has a name and labels by which it is found again', () => {
    expect(unitOf({ command: ['run', '$(A)'], args: ['$(B)'], workingDir: '/srv' })).toMatchObject({
      name: 'u_main_3',
      labels: {
        'homeostat.dev/pod-uid': 'u',
        'homeostat.dev/namespace': 'ns',
        'homeostat.dev/pod': 'p',
        'homeostat.dev/container': 'main',
        'homeostat.dev/attempt': '3',
      },
      command: ['run', '1'],
      args: ['$(B)'],
      workingDir: '/srv',
      graceSeconds: 7,
    })
  })

  it('says when its image is pulled and whose network it has', () => {
    expect(unitOf({ image: 'web:1', imagePullPolicy: 'Never' })).toMatchObject({ image: 'web:1', pullPolicy: 'Never' })
    expect(unitOf({ image: 'web:1' })).not.toHaveProperty('pullPolicy')
    expect(unitOf({})).not.toHaveProperty('hostNetwork')
    const shared = { ...pod, spec: { ...pod.spec, hostNetwork: true } }
    expect(containerUnit(shared, { name: 'main' }, 0, {}, { simulated: false }).hostNetwork).toBe(true)
  })

  it('mounts paths of the machine, and refuses all else unless nothing runs', () => {
    const volumeMounts = [{ name: 'v', mountPath: '/b' }]
    expect(unitOf({ volumeMounts }, false, [{ name: 'v', hostPath: { path: '/a' } }]).mounts).toEqual([
      { source: '/a', target: '/b' },
    ])
    expect(() => unitOf({ volumeMounts }, false, [{ name: 'v', emptyDir: {} }])).toThrow(
      'volume v (emptyDir) is not supported here: only hostPath volumes are',
    )
    expect(unitOf({ volumeMounts }, true, [{ name: 'v', emptyDir: {} }]).mounts).toBeUndefined()
  })
})

it.each([
  ['$(A)', 'x'],
  ['$(B)', '$(B)'],
  ['$$(A)', '$(A)'],
  ['$A', '$A'],
  ['a$', 'a$'],
  ['$(A)$(A', 'x$(A'],
])('%s becomes %s', (text, expected) => {
  expect(expand(text, { A: 'x' })).toBe(expected)
})
