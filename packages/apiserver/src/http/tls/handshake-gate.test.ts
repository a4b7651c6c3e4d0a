import { ManualClock } from '@homeostat/base'
import { expect, test } from 'vitest'
import { type Arrival, HandshakeGate, networkOf } from './handshake-gate.ts'

const LIMITS = { burst: 2, perSecond: 1, unfinished: 3, waiting: 2 }

function arrivals(gate: HandshakeGate) {
  const log: string[] = []
  const done: (() => void)[] = []
  const gone = new Set<string>()
  const arrive = (name: string, address = '10.0.0.1') =>
    gate.arrive(address, {
      get isGone() {
        return gone.has(name)
      },
      start(end) {
        log.push(`start ${name}`)
        done.push(end)
      },
      refuse: () => void log.push(`refuse ${name}`),
    } satisfies Arrival)
  return { arrive, log, done, gone }
}

test('a burst starts at once, then one per second; more wait, and still more are refused', () => {
  const clock = new ManualClock()
  const { arrive, log, gone } = arrivals(new HandshakeGate(clock, LIMITS))
  for (const name of ['a', 'b', 'c', 'd', 'e']) arrive(name)
  expect(log.splice(0)).toEqual(['start a', 'start b', 'refuse e'])
  gone.add('c')
  clock.advance(1000)
  expect(log.splice(0)).toEqual(['start d'])
})

test('another address does not wait for the first', () => {
  const { arrive, log } = arrivals(new HandshakeGate(new ManualClock(), LIMITS))
  for (const name of ['a', 'b', 'c']) arrive(name)
  arrive('other', '10.0.0.2')
  expect(log).toEqual(['start a', 'start b', 'start other'])
})

test('handshakes that do not end hold back the next, each end counts once', () => {
  const clock = new ManualClock()
  const { arrive, log, done } = arrivals(new HandshakeGate(clock, { ...LIMITS, burst: 10, unfinished: 1 }))
  for (const name of ['a', 'b', 'c']) arrive(name)
  expect(log.splice(0)).toEqual(['start a'])
  done[0]?.()
  done[0]?.()
  expect(log).toEqual(['start b'])
})

test('closing refuses what waits', () => {
  const gate = new HandshakeGate(new ManualClock(), LIMITS)
  const { arrive, log } = arrivals(gate)
  for (const name of ['a', 'b', 'c']) arrive(name)
  gate.close()
  expect(log).toEqual(['start a', 'start b', 'refuse c'])
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::7', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to %s', (address, network) => expect(networkOf(address)).toBe(network))
