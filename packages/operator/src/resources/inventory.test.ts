import { describe, expect, it } from 'vitest'
import { readInventory, unwanted, writeInventory } from './inventory.ts'

const service = { apiVersion: 'v1', kind: 'Service', name: 'a', namespace: 'shop' }
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a', namespace: 'shop' }
const node = { apiVersion: 'v1', kind: 'Node', name: 'a', namespace: undefined }

describe('the inventory', () => {
  it('is read as it was written, once per object and in one order', () => {
    const written = writeInventory([service, deployment, service, node])
    expect(written).toEqual(writeInventory([node, deployment, service]))
    expect(readInventory({ inventory: written })).toHaveLength(3)
    expect(JSON.stringify(written)).not.toContain('undefined')
  })

  it('ignores what somebody else wrote into it', () => {
    expect(readInventory({ inventory: [null, 'x', { kind: 'Service' }, service] })).toEqual([service])
    expect(readInventory({ inventory: 'all' })).toEqual([])
    expect(readInventory(undefined)).toEqual([])
  })

  it('has no use for what is not wanted any more', () => {
    expect(unwanted([service, deployment], [deployment])).toEqual([service])
  })

  it('knows an object in another version', () => {
    expect(unwanted([{ ...deployment, apiVersion: 'apps/v1beta2' }], [deployment])).toEqual([])
  })
})
