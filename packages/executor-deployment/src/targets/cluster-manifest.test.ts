import { describe, expect, it } from 'vitest'
import type { DeploymentSpec } from '../spec/deployment-spec.ts'
import { readDeploymentSpec } from '../spec/read-deployment-spec.ts'
import { clusterManifest } from './cluster-manifest.ts'

const owner = { name: 'ml', namespace: 'dev', uid: 'a1b2c3d4-5555', generation: 3 }

function manifest(config: object) {
  const reading = readDeploymentSpec({ runtime: 'kubernetes', replicas: 2, executorType: 'ml', image: 'ml:1', config })
  return clusterManifest(owner, (reading as { spec: DeploymentSpec }).spec, 'http://10.0.0.1:3000')
}

describe('the Deployment of an ExecutorDeployment', () => {
  it('is named after it, and selects its own pods alone', () => {
    const { metadata, spec } = manifest({})
    expect(metadata).toMatchObject({ name: 'ml-a1b2c3d4', namespace: 'dev' })
    expect(spec).toMatchObject({
      replicas: 2,
      selector: { matchLabels: { 'colonies.io/deployment-uid': 'a1b2c3d4-5555' } },
      template: { metadata: { labels: { 'colonies.io/deployment-uid': 'a1b2c3d4-5555' } } },
    })
    expect(manifest({ namespace: 'gpu' }).metadata.namespace).toBe('gpu')
  })

  it('tells executors where they belong, by the name of their pod, and lets the resource say otherwise', () => {
    const env = (config: object) => manifest(config).spec.template.spec.containers[0]?.env
    expect(env({})).toEqual([
      { name: 'COLONIES_COLONY_NAME', value: 'dev' },
      { name: 'COLONIES_EXECUTOR_TYPE', value: 'ml' },
      { name: 'COLONIES_SERVER_HOST', value: '10.0.0.1' },
      { name: 'COLONIES_SERVER_PORT', value: '3000' },
      { name: 'COLONIES_INSECURE', value: 'true' },
      { name: 'COLONIES_EXECUTOR_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ])
    const own = env({ env: { COLONIES_EXECUTOR_NAME: 'me', COLONIES_SERVER_HOST: 'colony' } })
    expect(own).toContainEqual({ name: 'COLONIES_SERVER_HOST', value: 'colony' })
    expect(own?.filter(({ name }) => name === 'COLONIES_EXECUTOR_NAME')).toEqual([
      { name: 'COLONIES_EXECUTOR_NAME', value: 'me' },
    ])
  })

  it('mounts folders of the node, and volumes in the words of Kubernetes', () => {
    const { volumes, containers } = manifest({
      volumes: [
        { source: '/data', target: '/in', readOnly: true },
        { name: 'models', source: { persistentVolumeClaim: { claimName: 'm' } } },
      ],
      volumeMounts: [{ name: 'models', mountPath: '/models' }],
    }).spec.template.spec
    expect(volumes).toEqual([
      { name: 'volume-0', hostPath: { path: '/data' } },
      { name: 'models', persistentVolumeClaim: { claimName: 'm' } },
    ])
    expect(containers[0]?.volumeMounts).toEqual([
      { name: 'volume-0', mountPath: '/in', readOnly: true },
      { name: 'models', mountPath: '/models' },
    ])
  })

  it('has another template when anything but the number of replicas changes', () => {
    const hash = (config: object) => manifest(config).spec.template.metadata.labels['colonies.io/template-hash']
    const configs = [
      {},
      { env: { A: '1' } },
      { nodeSelector: { gpu: 'true' } },
      { command: ['x'] },
      { imagePullPolicy: 'Never' },
    ]
    expect(new Set(configs.map(hash)).size).toBe(configs.length)
    expect(hash({ env: { A: '1', B: '2' } })).toBe(hash({ env: { B: '2', A: '1' } }))
  })
})
