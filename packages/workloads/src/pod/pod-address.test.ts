import type { UnitState } from '@homeostat/runtimes'
import { expect, it } from 'vitest'
import { podAddresses } from './pod-address.ts'

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { uid: 'u' } }
const unit = (more: Partial<UnitState>): UnitState => ({ id: 'i', name: 'n', labels: {}, phase: 'running', ...more })
const machine = { pod, address: '192.0.2.7', simulated: false }

it('a pod whose containers share the machine has its address', () => {
  const addresses = podAddresses({ ...machine, units: [unit({})] })
  expect(addresses).toEqual({
    hostIP: '192.0.2.7',
    hostIPs: [{ ip: '192.0.2.7' }],
    podIP: '192.0.2.7',
    podIPs: [{ ip: '192.0.2.7' }],
  })
})

it('a pod whose containers have their own has the first of these', () => {
  const units = [unit({ address: '' }), unit({ address: '172.17.0.2' })]
  expect(podAddresses({ ...machine, units })).toMatchObject({ hostIP: '192.0.2.7', podIP: '172.17.0.2' })
})

it('a pod of which nothing runs has none', () => {
  expect(podAddresses({ ...machine, units: [unit({ phase: 'starting' })] })).not.toHaveProperty('podIP')
})

it('a simulated pod keeps an address that nobody has', () => {
  const simulated = { ...machine, simulated: true, units: [] }
  const { podIP } = podAddresses(simulated)
  expect(podIP).toMatch(/^198\.1[89]\.\d+\.\d+$/)
  expect(podAddresses(simulated).podIP).toBe(podIP)
})
