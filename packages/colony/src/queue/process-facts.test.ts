import { describe, expect, it } from 'vitest'
import { amount, processFacts } from './process-facts.ts'

const metadata = { namespace: 'lab', name: 'a', uid: 'u', creationTimestamp: '2026-01-05T12:00:00Z' }
const CREATED = Date.parse('2026-01-05T12:00:00Z')

function factsOf(spec: Record<string, unknown>, status?: unknown) {
  const object = {
    apiVersion: 'colonies.io/v1',
    kind: 'Process',
    metadata,
    spec,
    ...(status !== undefined && { status }),
  }
  return processFacts(object, 7)
}

const plain = { funcName: 'train', conditions: { executorType: 'ml' } }

describe('processFacts', () => {
  it('takes what the queue goes by from a Process', () => {
    const spec = {
      funcName: 'train',
      priority: 2,
      concurrencyKey: 'k',
      cancel: true,
      conditions: {
        executorType: 'ml',
        executorNames: ['b', 'a', 'b'],
        location: 'North',
        software: ['Docker', 'b', 'docker'],
        cpu: '500m',
        memory: '1Gi',
      },
    }
    const status = {
      phase: 'Running',
      submittedAt: '2026-01-05T12:00:00.123456Z',
      attempt: 3,
      executor: 'e1',
      execDeadline: '2026-01-05T12:00:05.250Z',
    }
    expect(factsOf(spec, status)).toEqual({
      namespace: 'lab',
      name: 'a',
      uid: 'u',
      revision: 7,
      phase: 'Running',
      order: CREATED * 1000 + 123_456 - 2 * 86_400_000_000,
      demands: {
        executorType: 'ml',
        funcName: 'train',
        executorNames: ['a', 'b'],
        location: 'north',
        software: ['b', 'docker'],
        cpu: 0.5,
        memory: 1024 ** 3,
      },
      concurrencyKey: 'k',
      attempt: 3,
      executor: 'e1',
      cancel: true,
      submittedAt: CREATED + 123,
      notBefore: undefined,
      waitDeadline: undefined,
      execDeadline: CREATED + 5250,
      deleteAt: undefined,
    })
  })

  it.each([
    ['no status', undefined],
    ['an empty one', {}],
    ['a phase that there is not', { phase: 'Dreaming' }],
    ['a run by nobody', { phase: 'Running', attempt: 2 }],
    [
      'words where numbers and times belong',
      { phase: 5, attempt: 'x', submittedAt: 'soon', waitDeadline: '1', notBefore: {} },
    ],
    ['a list', []],
  ])('reads %s as waiting since its creation', (_, status) => {
    expect(factsOf(plain, status)).toMatchObject({
      phase: 'Waiting',
      order: CREATED * 1000,
      submittedAt: CREATED,
      executor: undefined,
      waitDeadline: undefined,
      notBefore: undefined,
    })
  })

  it.each([
    ['Succeeded', '2026-01-05T12:00:10.500Z', 60, CREATED + 70_500],
    ['Failed', '2026-01-05T12:00:10Z', 0, CREATED + 10_000],
    ['Cancelled', '2026-01-05T12:00:10Z', undefined, undefined],
    ['Succeeded', undefined, 60, undefined],
    ['Waiting', '2026-01-05T12:00:10Z', 60, undefined],
  ])('%s at %s with %s seconds to live is deleted at %s', (phase, finishedAt, ttl, deleteAt) => {
    const spec = { ...plain, ...(ttl !== undefined && { ttlSecondsAfterFinished: ttl }) }
    expect(factsOf(spec, { phase, finishedAt }).deleteAt).toBe(deleteAt)
  })

  it('keeps the order of submissions to the microsecond at both ends of priority', () => {
    for (const priority of [-50_000, 0, 50_000]) {
      const orders = ['12:00:00.000001', '12:00:00.000002', '12:00:00.999999', '12:00:01.000000'].map(
        (time) => factsOf({ ...plain, priority }, { submittedAt: `2026-01-05T${time}Z` }).order,
      )
      expect(orders.map((order) => order - (orders[0] ?? 0))).toEqual([0, 1, 999_998, 999_999])
    }
  })

  it('gives Processes without a key none', () => {
    expect(factsOf({ ...plain, concurrencyKey: '' }).concurrencyKey).toBeUndefined()
  })
})

describe('amount', () => {
  it.each([
    ['2', 2],
    [2, 2],
    ['500m', 0.5],
    ['1Gi', 1024 ** 3],
    ['1M', 1e6],
    ['0', 0],
    ['-1', undefined],
    ['lots', undefined],
    [undefined, undefined],
  ])('reads %j as %s', (value, expected) => {
    expect(amount(value)).toBe(expected)
  })
})
