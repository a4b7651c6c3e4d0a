import { describe, expect, it } from 'vitest'
import type { Unit } from '../runtime.ts'
import { checkedOwner, containerName, containerSpec, labelFilter, unitOfLabels } from './container-spec.ts'

const unit = (more: Partial<Unit> = {}): Unit => ({ name: 'web', labels: { app: 'x' }, image: 'web:1', ...more })
const spec = (more: Partial<Unit> = {}) => containerSpec(unit(more), 'home', 1000)

describe('a container', () => {
  it('has the defaults of Kubernetes for a unit that says nothing', () => {
    expect(spec()).toEqual({
      Image: 'web:1',
      Env: [],
      Labels: {
        app: 'x',
        'homeostat.dev/runtime-owner': 'home',
        'homeostat.dev/unit': 'web',
        'homeostat.dev/unit-labels': '["app"]',
      },
      StopTimeout: 30,
      HostConfig: {
        Mounts: [],
        LogConfig: { Type: 'json-file', Config: { 'max-size': '1000', 'max-file': '2' } },
      },
    })
  })

  it.each<[string, Partial<Unit>, object]>([
    ['a command', { command: ['a', 'b'] }, { Entrypoint: ['a', 'b'] }],
    ['arguments alone', { args: ['c'] }, { Cmd: ['c'] }],
    ['both', { command: ['a'], args: ['c'] }, { Entrypoint: ['a'], Cmd: ['c'] }],
    ['variables', { env: { A: '1', B: 'x=y', C: '' } }, { Env: ['A=1', 'B=x=y', 'C='] }],
    ['a folder to work in', { workingDir: '/srv' }, { WorkingDir: '/srv' }],
    ['a grace', { graceSeconds: 1.5 }, { StopTimeout: 2 }],
    ['the network of the machine', { hostNetwork: true }, { HostConfig: { NetworkMode: 'host' } }],
    ['a network of its own', { hostNetwork: false }, { HostConfig: { Mounts: [] } }],
    [
      'mounts',
      {
        mounts: [
          { source: '/a', target: '/b' },
          { source: '/c', target: '/d', readOnly: true },
        ],
      },
      {
        HostConfig: {
          Mounts: [
            { Type: 'bind', Source: '/a', Target: '/b', ReadOnly: false },
            { Type: 'bind', Source: '/c', Target: '/d', ReadOnly: true },
          ],
        },
      },
    ],
  ])('has %s', (_, more, expected) => {
    expect(spec(more)).toMatchObject(expected)
  })

  it('does not get empty lists, which would mean something else', () => {
    expect(Object.keys(spec({ command: [], args: [] }))).not.toContain('Entrypoint')
    expect(Object.keys(spec({ command: [], args: [] }))).not.toContain('Cmd')
    expect(spec({ hostNetwork: false }).HostConfig).not.toHaveProperty('NetworkMode')
  })

  it('publishes ports on loopback, unless an address is named', () => {
    const ports = [
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 80, hostPort: 8081, hostIP: '0.0.0.0' },
      { containerPort: 53, protocol: 'udp' as const },
    ]
    expect(spec({ ports })).toMatchObject({
      ExposedPorts: { '80/tcp': {}, '53/udp': {} },
      HostConfig: {
        PortBindings: {
          '80/tcp': [
            { HostIp: '127.0.0.1', HostPort: '8080' },
            { HostIp: '0.0.0.0', HostPort: '8081' },
          ],
          '53/udp': [{ HostIp: '127.0.0.1', HostPort: '' }],
        },
      },
    })
    expect(spec()).not.toHaveProperty('ExposedPorts')
  })

  it('limits cores and memory', () => {
    expect(spec({ limits: { cpu: 0.25, memory: 64 * 1024 ** 2 } }).HostConfig).toMatchObject({
      NanoCpus: 250_000_000,
      Memory: 67_108_864,
    })
    expect(spec().HostConfig).not.toHaveProperty('Memory')
  })

  it('needs an image, a name that Docker takes, and labels that are its own', () => {
    expect(() => containerSpec({ name: 'web', labels: {} }, 'home', 1)).toThrow('has no image')
    expect(() => spec({ labels: { 'homeostat.dev/runtime-owner': 'me' } })).toThrow('is the docker runtime’s own')
    expect(containerName('home', 'a.b_c-1')).toBe('home.a.b_c-1')
    for (const bad of ['', '../up', 'a b', '-a', 'x'.repeat(201)]) {
      expect(() => containerName('home', bad)).toThrow('cannot be the name of a unit')
    }
    expect(checkedOwner('home-1')).toBe('home-1')
    for (const bad of ['', 'a.b', 'a/b', 'x'.repeat(64)]) {
      expect(() => checkedOwner(bad)).toThrow('cannot be an owner')
    }
  })
})

describe('the labels of a container', () => {
  it('lead back to the unit, without those of the image', () => {
    const { Labels } = spec({ labels: { app: 'x', empty: '' } })
    expect(unitOfLabels({ ...Labels, maintainer: 'somebody' }, 'home')).toEqual({
      name: 'web',
      labels: { app: 'x', empty: '' },
    })
  })

  it('of others lead nowhere, and damaged ones to a unit without labels', () => {
    const { Labels } = spec()
    expect(unitOfLabels(Labels, 'another')).toBeUndefined()
    expect(unitOfLabels({}, 'home')).toBeUndefined()
    for (const damaged of ['{', '{}', '[1]']) {
      const labels = { ...Labels, 'homeostat.dev/unit-labels': damaged }
      expect(unitOfLabels(labels, 'home')).toEqual({ name: 'web', labels: {} })
    }
  })

  it('are asked for together with the owner, whom nobody can put aside', () => {
    expect(labelFilter('home')).toEqual(['homeostat.dev/runtime-owner=home'])
    expect(labelFilter('home', { app: 'a=b', 'homeostat.dev/runtime-owner': 'me' })).toEqual([
      'app=a=b',
      'homeostat.dev/runtime-owner=home',
    ])
  })
})
