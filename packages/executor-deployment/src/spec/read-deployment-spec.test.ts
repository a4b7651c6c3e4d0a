import { describe, expect, it } from 'vitest'
import type { DeploymentSpec } from './deployment-spec.ts'
import { readDeploymentSpec } from './read-deployment-spec.ts'

const flat = { runtime: 'docker', replicas: 3, executorType: 'ml', image: 'ml:1' }

function read(value: unknown): DeploymentSpec {
  const reading = readDeploymentSpec(value)
  if ('spec' in reading) return reading.spec
  throw new Error(JSON.stringify(reading.problems))
}

function problems(value: unknown): string[] {
  const reading = readDeploymentSpec(value)
  return 'spec' in reading ? [] : reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

describe('the spec of an ExecutorDeployment', () => {
  it('is read where it is flat', () => {
    const config = {
      env: { CACHE: '/models', SIZE: 32, GPU: true },
      volumes: [{ source: '/data', target: '/models', readOnly: true }],
      command: ['run'],
      args: ['it'],
      imagePullPolicy: 'always',
    }
    expect(read({ ...flat, config })).toEqual({
      runtime: 'docker',
      replicas: 3,
      executorType: 'ml',
      image: 'ml:1',
      env: { CACHE: '/models', SIZE: '32', GPU: 'true' },
      volumes: [{ source: '/data', target: '/models', readOnly: true }],
      command: ['run', 'it'],
      pullPolicy: 'Always',
      pullSecrets: [],
      ports: [],
      hostNetwork: false,
      placement: {},
      unused: [],
    })
  })

  it.each([
    ['template', { template: { type: 'edge', name: 'n', capabilities: {} }, config: { image: 'e:1' } }],
    ['executor', { executor: { type: 'edge', image: 'e:1' } }],
    ['nothing nested', { executorType: 'edge', image: 'e:1' }],
    [
      'the same said twice',
      { executorType: 'edge', template: { type: 'edge' }, image: 'e:1', config: { image: 'e:1' } },
    ],
  ])('is read with %s, one replica in docker unless it says otherwise', (_, spec) => {
    expect(read(spec)).toMatchObject({ runtime: 'docker', replicas: 1, executorType: 'edge', image: 'e:1', unused: [] })
  })

  it.each<[unknown, unknown]>([
    [[{ name: 'A', value: '1' }, { name: 'B' }], { A: '1', B: '' }],
    [
      { A: '1', B: '' },
      { A: '1', B: '' },
    ],
  ])('has its environment as a map or as a list', (env, expected) => {
    expect(read({ ...flat, config: { env } }).env).toEqual(expected)
    expect(read({ ...flat, env }).env).toEqual(expected)
    expect(read({ ...flat, env: { A: '0', C: '3' }, config: { env } }).env).toEqual({ C: '3', ...(expected as object) })
  })

  it('has volumes in both spellings', () => {
    const volumes = [{ host: '/run/docker.sock', container: '/run/docker.sock' }]
    expect(read({ ...flat, volumes }).volumes).toEqual([{ source: '/run/docker.sock', target: '/run/docker.sock' }])
  })

  it('has a place in a cluster, only for kubernetes', () => {
    const config = {
      namespace: 'gpu',
      kubeconfig: '/etc/k',
      nodeSelector: { gpu: true },
      tolerations: [{ key: 'gpu' }],
      resources: { limits: { cpu: '1' } },
      volumes: [
        { name: 'models', source: { persistentVolumeClaim: { claimName: 'm' } } },
        { source: '/d', target: '/d' },
      ],
      volumeMounts: [{ name: 'models', mountPath: '/models' }],
    }
    const spec = read({ ...flat, runtime: 'kubernetes', config })
    expect(spec.placement).toEqual({
      namespace: 'gpu',
      kubeconfig: '/etc/k',
      nodeSelector: { gpu: 'true' },
      tolerations: [{ key: 'gpu' }],
      resources: { limits: { cpu: '1' } },
      podVolumes: [{ name: 'models', persistentVolumeClaim: { claimName: 'm' } }],
      volumeMounts: [{ name: 'models', mountPath: '/models' }],
    })
    expect(spec.volumes).toEqual([{ source: '/d', target: '/d' }])
  })

  it('is on the network of the machine when it says so, and no other network is known', () => {
    expect(read({ ...flat, config: { network: 'host' } })).toMatchObject({ hostNetwork: true, unused: [] })
    expect(read({ ...flat, config: { network: 'x' } })).toMatchObject({
      hostNetwork: false,
      unused: ['spec.config.network'],
    })
  })

  it('names what its runtime does not use', () => {
    expect(read({ ...flat, config: { devices: [], nodeSelector: {} }, cpu: '1' }).unused).toEqual([
      'spec.cpu',
      'spec.config.devices',
      'spec.config.nodeSelector',
    ])
  })

  it.each(['lambda', 'hpc', 'Docker'])('is refused for the runtime %s', (runtime) => {
    expect(readDeploymentSpec({ ...flat, runtime })).toEqual({
      reason: 'UnsupportedRuntime',
      problems: [{ field: 'spec.runtime', message: `"${runtime}" is not supported: use local, docker, kubernetes` }],
    })
  })

  it.each<[unknown, string]>([
    [undefined, 'spec: must be an object'],
    [{ ...flat, replicas: -1 }, 'spec.replicas: must be a whole number from 0 to 1000, not -1'],
    [{ ...flat, replicas: '3' }, 'spec.replicas: must be a whole number from 0 to 1000, not "3"'],
    [{ ...flat, replicas: 1001 }, 'spec.replicas: must be a whole number from 0 to 1000, not 1001'],
    [{ runtime: 'local' }, 'spec.executorType: is required: the type of the executors'],
    [{ ...flat, executorType: '--help' }, 'spec.executorType: "--help" must be up to 100 letters'],
    [{ ...flat, image: undefined }, 'spec.image: is required for docker'],
    [{ ...flat, image: '' }, 'spec.image: must be a text that is not empty'],
    [{ ...flat, config: { image: 'other' } }, 'spec.config.image: says something else than spec.image'],
    [{ ...flat, config: [] }, 'spec.config: must be an object'],
    [{ ...flat, config: { env: 'A=1' } }, 'spec.config.env: must be a map of texts, or a list of {name, value}'],
    [{ ...flat, config: { env: { A: {} } } }, 'spec.config.env.A: must be a text'],
    [{ ...flat, config: { env: { 'A=B': '' } } }, 'spec.config.env: "A=B" cannot be the name of a variable'],
    [{ ...flat, config: { env: [{ name: 'A', valueFrom: {} }] } }, 'spec.config.env[0]: must be {name, value}'],
    [{ ...flat, config: { volumes: {} } }, 'spec.config.volumes: must be a list of {source, target}'],
    [{ ...flat, config: { volumes: ['/a'] } }, 'spec.config.volumes[0]: must be {source, target}'],
    [
      { ...flat, config: { volumes: [{ source: 'a', target: 'b' }] } },
      'spec.config.volumes[0]: must be {source, target}',
    ],
    [{ ...flat, config: { command: 'sleep 1' } }, 'spec.config.command: must be a list of texts'],
    [{ ...flat, config: { command: [] } }, 'spec.config.command: must begin with the program to run'],
    [{ ...flat, config: { args: ['x'] } }, 'spec.config.args: needs a spec.config.command'],
    [{ ...flat, config: { imagePullPolicy: 'Sometimes' } }, 'spec.config.imagePullPolicy: "Sometimes" must be one of'],
    [{ ...flat, runtime: 'kubernetes', config: { namespace: 'A B' } }, 'spec.config.namespace: "A B": '],
    [
      { ...flat, runtime: 'kubernetes', config: { tolerations: {} } },
      'spec.config.tolerations: must be a list of objects',
    ],
    [
      { ...flat, runtime: 'local', config: { volumes: [{ source: '/a', target: '/b' }] } },
      'spec.config.volumes[0]: /a cannot be shown as /b: a local process sees the files of the machine',
    ],
  ])('is refused with the field that is wrong: %j', (spec, problem) => {
    expect(problems(spec)).toHaveLength(1)
    expect(problems(spec)[0]).toContain(problem)
  })

  it('is refused with all that is wrong at once', () => {
    expect(problems({ runtime: 'local', replicas: 1.5, config: { command: 1, env: 2 } })).toHaveLength(3)
  })
})
