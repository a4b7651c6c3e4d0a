import { describe, expect, it } from 'vitest'
import { Terminal, terminal, Waiting, waiting } from '../runtime/outcome.ts'
import {
  aggregateReady,
  SubresourceError,
  subresourceCondition,
  subresourceOutcome,
  thrownSubresource,
} from './subresources.ts'

const ready = { name: 'Service', result: { ready: true } }
const pending = { name: 'Deployment', result: { ready: false, reason: 'Creating', message: 'creating it' } }
const failed = { name: 'Certificate', result: { ready: false, failed: true, message: 'no issuer' } }

describe('subresourceCondition', () => {
  it.each([
    [{ ready: true }, 'True', 'Ready'],
    [{ ready: false }, 'False', 'Pending'],
    [{ ready: false, syncing: true }, 'False', 'Syncing'],
    [{ ready: false, syncing: true, failed: true }, 'False', 'Failed'],
    [{ ready: false, reason: 'Creating' }, 'False', 'Creating'],
  ])('of %o is %s for the reason %s', (result, status, reason) => {
    expect(subresourceCondition(result)).toMatchObject({ status, reason })
  })
})

describe('aggregateReady', () => {
  it('is True when all parts are ready', () => {
    expect(aggregateReady([ready, { ...ready, name: 'Deployment' }])).toMatchObject({ status: 'True', reason: 'Ready' })
  })

  it('has the messages of all that are not, and the reason of one that failed first of all', () => {
    expect(aggregateReady([ready, pending, failed])).toEqual({
      status: 'False',
      reason: 'Failed',
      message: 'Deployment: creating it; Certificate: no issuer',
    })
    expect(aggregateReady([pending, ready])).toMatchObject({ reason: 'Creating', message: 'Deployment: creating it' })
  })
})

describe('subresourceOutcome', () => {
  const thrown = thrownSubresource('Deployment', new Error('boom'))
  const waits = thrownSubresource('Database', waiting('NotReady', 'the database starts', { retryAfter: '5s' }))
  const hopeless = thrownSubresource('Disk', terminal(new Error('too large'), 'TooLarge'))

  it('asks for nothing when no part does', () => {
    expect(subresourceOutcome([])).toBeUndefined()
    expect(subresourceOutcome([ready, pending])).toBeUndefined()
  })

  it('fails the run when a part failed, and keeps what was thrown', () => {
    const outcome = subresourceOutcome([ready, thrown, waits, hopeless, failed])
    expect(outcome).toBeInstanceOf(SubresourceError)
    expect(outcome?.message).toBe('Deployment: boom; Certificate: no issuer')
    expect(outcome?.cause).toEqual(new Error('boom'))
  })

  it('waits when a part waits, which comes before one that never will', () => {
    const outcome = subresourceOutcome([hopeless, waits])
    expect(outcome).toBeInstanceOf(Waiting)
    expect(outcome).toMatchObject({ reason: 'NotReady', message: 'Database: the database starts', retryAfter: '5s' })
  })

  it('ends for good when nothing else is left to be done', () => {
    const outcome = subresourceOutcome([ready, hopeless])
    expect(outcome).toBeInstanceOf(Terminal)
    expect(outcome).toMatchObject({ reason: 'TooLarge', message: 'Disk: too large' })
  })

  it('takes the reason of a condition from what was thrown', () => {
    expect([thrown, waits, hopeless].map(({ result }) => [result.reason, result.failed])).toEqual([
      ['Failed', true],
      ['NotReady', undefined],
      ['TooLarge', true],
    ])
  })
})
