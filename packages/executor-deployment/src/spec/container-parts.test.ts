import { describe, expect, it } from 'vitest'
import { readDeploymentSpec } from './read-deployment-spec.ts'

const base = { runtime: 'docker', replicas: 1, executorType: 'ml', image: 'ml:1' }

function read(config: object, more: object = {}): object {
  const reading = readDeploymentSpec({ ...base, ...more, config })
  if ('spec' in reading) return reading.spec
  return reading.problems.map(({ field, message }) => `${field} ${message}`)
}

describe('a container', () => {
  it('publishes ports, each said in full or as a number', () => {
    const ports = [80, { containerPort: 53, hostPort: 5353, hostIP: '0.0.0.0', protocol: 'UDP' }]
    expect(read({ ports })).toMatchObject({
      ports: [{ containerPort: 80 }, { containerPort: 53, hostPort: 5353, hostIP: '0.0.0.0', protocol: 'udp' }],
      unused: [],
    })
  })

  it('has limits, and Secrets for the registry', () => {
    const config = { resources: { limits: { cpu: '250m', memory: '64Mi' } }, imagePullSecrets: ['a', { name: 'b' }] }
    expect(read(config)).toMatchObject({
      limits: { cpu: 0.25, memory: 64 * 1024 ** 2 },
      pullSecrets: ['a', 'b'],
      unused: [],
    })
  })

  it.each<[object, string]>([
    [{ ports: 80 }, 'spec.config.ports must be a list'],
    [{ ports: [0] }, 'spec.config.ports[0] must be {containerPort'],
    [{ ports: [{ containerPort: 1, hostPort: 65_536 }] }, 'hostPort must be a port from 1 to 65535, not 65536'],
    [{ ports: [{ containerPort: 1, hostIP: 'all' }] }, 'hostIP must be an address of the machine, not "all"'],
    [{ ports: [{ containerPort: 1, protocol: 'SCTP' }] }, 'protocol must be TCP or UDP, not "SCTP"'],
    [{ resources: { limits: 1 } }, 'spec.config.resources.limits must be an object'],
    [{ resources: { limits: { cpu: '0' } } }, 'limits.cpu must be a quantity above 0, not "0"'],
    [{ resources: { limits: { gpu: 1 } } }, 'limits.gpu is not known'],
    [{ imagePullSecrets: 'a' }, 'spec.config.imagePullSecrets must be a list'],
    [{ imagePullSecrets: [{ secret: 'a' }] }, 'spec.config.imagePullSecrets must be a list'],
  ])('with %j says what is wrong', (config, message) => {
    expect(read(config)).toEqual([expect.stringContaining(message)])
  })

  it('has a port of the machine to itself', () => {
    const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 81 }]
    expect(read({ ports }, { replicas: 2 })).toEqual([
      expect.stringContaining('spec.config.ports[1].hostPort one port of the machine cannot be that of 2 replicas'),
    ])
    expect(read({ ports: [{ containerPort: 80 }] }, { replicas: 2 })).toMatchObject({ replicas: 2 })
  })

  it('alone has ports: elsewhere they are named as unused', () => {
    const config = { ports: [80], imagePullSecrets: ['a'] }
    const unused = ['spec.config.ports', 'spec.config.imagePullSecrets']
    expect(read(config, { runtime: 'local' })).toMatchObject({ ports: [], pullSecrets: [], unused })
    expect(read(config, { runtime: 'kubernetes' })).toMatchObject({
      ports: [],
      pullSecrets: ['a'],
      unused: unused.slice(0, 1),
    })
  })
})
