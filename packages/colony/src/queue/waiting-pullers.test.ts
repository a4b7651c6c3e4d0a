import { describe, expect, it } from 'vitest'
import { puller } from './queued-process.fixture.ts'
import { WaitingPullers } from './waiting-pullers.ts'

const anybody = () => true

describe('WaitingPullers', () => {
  it('gives the one that has waited longest, once', () => {
    const polls = new WaitingPullers<string>()
    polls.add(puller({ name: 'e1' }), 'first')
    polls.add(puller({ name: 'e2' }), 'second')
    expect(polls.match(anybody, 'lab', 'ml')).toBe('first')
    expect(polls.match(anybody, 'lab', 'ml')).toBe('second')
    expect(polls.match(anybody, 'lab', 'ml')).toBeUndefined()
    expect(polls.size).toBe(0)
  })

  it('passes over those that do not accept, and they keep their place', () => {
    const polls = new WaitingPullers<string>()
    polls.add(puller({ name: 'e1', functions: ['serve'] }), 'first')
    polls.add(puller({ name: 'e2' }), 'second')
    expect(polls.match(({ functions }) => functions.length === 0, 'lab', 'ml')).toBe('second')
    expect(polls.match(anybody, 'lab', 'ml')).toBe('first')
  })

  it('asks only those of the namespace and type', () => {
    const polls = new WaitingPullers<string>()
    polls.add(puller({ namespace: 'field' }), 'elsewhere')
    polls.add(puller({ type: 'web' }), 'other')
    expect(polls.match(anybody, 'lab', 'ml')).toBeUndefined()
    expect(polls.match(anybody, 'lab', 'web')).toBe('other')
  })

  it('takes out the one that is named, and only once', () => {
    const polls = new WaitingPullers<string>()
    const leave = polls.add(puller(), 'first')
    polls.add(puller(), 'second')
    leave()
    leave()
    expect(polls.size).toBe(1)
    expect(polls.match(anybody, 'lab', 'ml')).toBe('second')
  })

  it('does not count one twice that was matched and then leaves', () => {
    const polls = new WaitingPullers<string>()
    const leave = polls.add(puller(), 'first')
    polls.add(puller(), 'second')
    polls.match(anybody, 'lab', 'ml')
    leave()
    expect(polls.size).toBe(1)
  })

  it('knows the polls of one executor, which stay', () => {
    const polls = new WaitingPullers<string>()
    polls.add(puller({ name: 'e1' }), 'first')
    polls.add(puller({ name: 'e2' }), 'other')
    polls.add(puller({ name: 'e1' }), 'second')
    expect(polls.of('lab', 'e1')).toEqual(['first', 'second'])
    expect(polls.of('field', 'e1')).toEqual([])
    expect(polls.size).toBe(3)
  })
})
