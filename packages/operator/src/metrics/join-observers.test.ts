import { describe, expect, it } from 'vitest'
import type { ObservedOutcome, Observer } from '../runtime/companions.ts'
import { joinObservers } from './join-observers.ts'

const facts = { apiVersion: 'v1', kind: 'Site', name: 'a', trigger: 'created' }

describe('several observers', () => {
  it('go around a run in turn, and the run happens once', async () => {
    const told: string[] = []
    const observer = (name: string): Observer => ({
      async around(_, work) {
        told.push(`${name} begins`)
        const end = await work()
        told.push(`${name} ends`)
        return end
      },
    })
    const joined = joinObservers([observer('a'), {}, observer('b')])
    const work = async (): Promise<ObservedOutcome> => {
      told.push('work')
      return { result: 'success' }
    }
    expect(await joined?.around?.(facts, work)).toEqual({ result: 'success' })
    expect(told).toEqual(['a begins', 'b begins', 'work', 'b ends', 'a ends'])
  })

  it('are all notified of the rest', () => {
    const told: string[] = []
    const observer: Observer = {
      retried: (kind) => void told.push(`retried ${kind}`),
      wrote: (kind, result) => void told.push(`${result} ${kind}`),
      waited: (ms) => void told.push(`${ms} ms`),
      queue: (kind, state) => void told.push(`${kind} ${state().depth}`),
      owned: (kind, count) => void told.push(`${count()} of ${kind}`),
    }
    const joined = joinObservers([observer, {}, observer])
    joined?.retried?.('A')
    joined?.wrote?.('B', 'sent')
    joined?.waited?.(5)
    joined?.queue?.('C', () => ({ depth: 1, oldestMs: 0 }))
    joined?.owned?.('D', () => 2)
    expect(told.join()).toBe('retried A,retried A,sent B,sent B,5 ms,5 ms,C 1,C 1,2 of D,2 of D')
  })

  it('of one is that one, of none is none', () => {
    const only = {}
    expect(joinObservers([only])).toBe(only)
    expect(joinObservers([])).toBeUndefined()
  })
})
