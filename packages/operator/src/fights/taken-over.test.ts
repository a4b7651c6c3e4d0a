import { describe, expect, it } from 'vitest'
import { takenOver } from './taken-over.ts'

const object = (body: object, ...managers: [manager: string, fields: object][]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...body,
  metadata: { name: 'web', managedFields: managers.map(([manager, fieldsV1]) => ({ manager, fieldsV1 })) },
})

describe('a field', () => {
  const before = { spec: { replicas: 2, paused: true } }

  it('is taken over when another manager owns it with another value', () => {
    const now = object({ spec: { replicas: 5, paused: true } }, ['hpa', { 'f:spec': { 'f:replicas': {} } }])
    expect(takenOver(before, now, 'us')).toEqual([{ field: 'spec.replicas', rival: 'hpa' }])
  })

  it('is not taken over when the value is the same', () => {
    const now = object({ spec: { replicas: 2, paused: true } }, ['hpa', { 'f:spec': { 'f:replicas': {} } }])
    expect(takenOver(before, now, 'us')).toEqual([])
  })

  it('is not taken over by ourselves', () => {
    const now = object({ spec: { replicas: 5 } }, ['us', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }])
    expect(takenOver(before, now, 'us')).toEqual([])
  })

  it('that this manager never had is of no interest', () => {
    const now = object({ spec: { replicas: 2, paused: true, x: 1 } }, ['other', { 'f:spec': { 'f:x': {} } }])
    expect(takenOver(before, now, 'us')).toEqual([])
  })

  it('of an item in a list is named by the keys of the item', () => {
    const mine = { spec: { ports: [{ port: 80, name: 'web' }, { port: 81 }] } }
    const keys = 'k:{"port":80,"protocol":"TCP"}'
    const now = object({ spec: { ports: [{ port: 80, protocol: 'TCP', name: 'http' }, { port: 81 }] } }, [
      'kubectl',
      { 'f:spec': { 'f:ports': { [keys]: { '.': {}, 'f:name': {} } } } },
    ])
    expect(takenOver(mine, now, 'us')).toEqual([{ field: 'spec.ports[port=80,protocol=TCP].name', rival: 'kubectl' }])
  })

  it('with a name that is no word is quoted', () => {
    const mine = { metadata: { annotations: { 'ex.io/a': '1' } } }
    const now = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        annotations: { 'ex.io/a': '2' },
        managedFields: [{ manager: 'm', fieldsV1: { 'f:metadata': { 'f:annotations': { 'f:ex.io/a': {} } } } }],
      },
    }
    expect(takenOver(mine, now, 'us')).toEqual([{ field: 'metadata.annotations["ex.io/a"]', rival: 'm' }])
  })

  it('is found whatever managed fields look like', () => {
    const now = object({ spec: { replicas: 5 } }, ['a', [] as object], ['b', { 'f:spec': { 'k:nonsense': {} } }])
    expect(takenOver(before, now, 'us')).toEqual([])
  })
})

it('names at most twenty fields at once', () => {
  const names = Array.from({ length: 50 }, (_, at) => `f${at}`)
  const now = object({ spec: {} }, ['x', { 'f:spec': Object.fromEntries(names.map((name) => [`f:${name}`, {}])) }])
  const before = { spec: Object.fromEntries(names.map((name) => [name, 1])) }
  expect(takenOver(before, now, 'us')).toHaveLength(20)
})
