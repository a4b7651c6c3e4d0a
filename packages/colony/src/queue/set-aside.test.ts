import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { processFacts } from './process-facts.ts'
import { isSetAside, setAsideStatus } from './set-aside.ts'

const NOW = Date.parse('2026-01-05T12:00:00Z')

function processWith(status: unknown, generation = 1): KubeObject {
  const metadata = { namespace: 'lab', name: 'a', uid: 'u', generation }
  return { apiVersion: 'colonies.io/v1', kind: 'Process', metadata, spec: {}, ...(status !== undefined && { status }) }
}

describe('a Process that is set aside', () => {
  it.each([[undefined], [null], ['text'], [[1]], [{}], [{ conditions: 'none' }], [{ conditions: [null, 7] }]])(
    'keeps of a status %j what can be kept',
    (status) => {
      const next = processWith(setAsideStatus(processWith(status), 'it has no spec', NOW))
      expect(isSetAside(next)).toBe(true)
      expect(next.status).toMatchObject({
        conditions: [{ type: 'SetAside', status: 'True', reason: 'CannotBeHandled', message: 'it has no spec' }],
      })
    },
  )

  it('is for nobody and has no deadline, and is back in the queue when its spec has changed', () => {
    const status = { phase: 'Waiting', attempt: 2, waitDeadline: '2026-01-05T12:00:01Z' }
    const aside = setAsideStatus(processWith(status), 'broken', NOW)
    expect(aside).toMatchObject(status)
    expect(processFacts(processWith(aside), 7)).toMatchObject({ phase: 'Ended', deleteAt: undefined })
    expect(processFacts(processWith(aside, 2), 8)).toMatchObject({ phase: 'Waiting', attempt: 2 })
  })
})
