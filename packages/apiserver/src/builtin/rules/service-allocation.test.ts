import type { KubeObject } from '@homeostat/meta'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ServiceAllocation } from './service-allocation.ts'

function service(name: string, spec: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'n' }, spec }
}

const ports = [{ port: 80 }]

it('gives an address of the range, and a node port where one is needed', () => {
  const allocation = new ServiceAllocation(() => [])
  const plain = service('a', { ports })
  allocation.allocate(plain)
  expect(plain.spec).toMatchObject({ clusterIP: expect.stringMatching(/^10\.0\.0\.\d+$/), ports: [{ port: 80 }] })
  const exposed = service('b', { type: 'NodePort', ports: [{ port: 80 }, { port: 53 }] })
  allocation.allocate(exposed)
  for (const port of (exposed.spec as { ports: { nodePort: number }[] }).ports) {
    expect(port.nodePort).toBeGreaterThanOrEqual(30000)
    expect(port.nodePort).toBeLessThanOrEqual(32767)
  }
})

it.each([
  { type: 'ExternalName', externalName: 'a.b' },
  { clusterIP: 'None', ports },
])('leaves %j as it is', (spec) => {
  const one = service('a', { ...spec })
  new ServiceAllocation(() => []).allocate(one)
  expect(one.spec).toEqual(spec)
})

it('never gives one thing to two, stored or under way, until all are given', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 60 }), (names) => {
      const stored: KubeObject[] = []
      const allocation = new ServiceAllocation(() => stored)
      const all = names.map((name, index) => {
        const one = service(name, { type: 'NodePort', ports: [{ port: 80 }] })
        allocation.allocate(one)
        if (index % 2 === 0) stored.push(one)
        return one.spec as { clusterIP: string; ports: [{ nodePort: number }] }
      })
      expect(new Set(all.map(({ clusterIP }) => clusterIP)).size).toBe(names.length)
      expect(new Set(all.map(({ ports: [port] }) => port.nodePort)).size).toBe(names.length)
    }),
  )
  const allocation = new ServiceAllocation(() => [])
  for (let i = 0; i < 253; i++) allocation.allocate(service(`s${i}`, { ports }))
  expect(() => allocation.allocate(service('one-more', { ports }))).toThrow('range is full')
})

it('gives what is asked for, unless it is taken or out of range', () => {
  const stored = [
    service('a', { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ports: [{ port: 80, nodePort: 30001 }] }),
  ]
  const allocation = new ServiceAllocation(() => stored)
  const ask = (spec: object) => () => allocation.allocate(service('b', spec))
  expect(ask({ clusterIP: '10.0.0.6', clusterIPs: ['10.0.0.6'], ports })).not.toThrow()
  expect(ask({ clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ports })).toThrow('already allocated')
  expect(ask({ clusterIP: '10.1.0.5', clusterIPs: ['10.1.0.5'], ports })).toThrow('not in the valid range')
  expect(ask({ type: 'NodePort', ports: [{ port: 80, nodePort: 30001 }] })).toThrow('already allocated')
  expect(ask({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] })).toThrow('not in the valid range')
})

it('lets a service keep what it has, and reserves what a write allocates until it ends', () => {
  const allocation = new ServiceAllocation(() => [])
  const old = service('a', { clusterIP: '192.168.0.1', clusterIPs: ['192.168.0.1'], ports })
  expect(() => allocation.allocate(structuredClone(old), old)).not.toThrow()
  const first = service('b', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports })
  const other = service('c', { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports })
  const end = allocation.allocate(first)
  expect(() => allocation.allocate(other)).toThrow('already allocated')
  end?.()
  expect(() => allocation.allocate(other)).not.toThrow()
})

it('gives TCP and UDP of one port one node port', () => {
  const one = service('a', { type: 'NodePort', ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] })
  new ServiceAllocation(() => []).allocate(one)
  const [tcp, udp] = (one.spec as { ports: { nodePort: number }[] }).ports
  expect(tcp?.nodePort).toBe(udp?.nodePort)
})
