import { ManualClock } from '@homeostat/base'
import type { RequestInfo } from '@homeostat/operator/access'
import type { RunDescription } from '@homeostat/operator/host'
import { expect, it } from 'vitest'
import { AccessAdvice, QUIET_MS } from './access-advice.ts'

const run = (...verbs: string[]): RunDescription => ({
  name: 'notes',
  kinds: [{ apiVersion: 'ex.io/v1', kind: 'Note' }],
  definitions: [],
  leaderElection: false,
  shards: false,
  shutdownMs: 0,
  rules: verbs.map((verb) => ({ why: '', apiGroups: [''], resources: ['configmaps'], verbs: [verb] })),
})

const request = (verb: string, resource = 'configmaps'): RequestInfo => ({ verb, group: '', resource })

function setUp() {
  const said: (readonly string[])[] = []
  const clock = new ManualClock()
  const advice = new AccessAdvice({ clock, say: (lines) => void said.push(lines) })
  const after = (...requests: RequestInfo[]) => {
    for (const one of requests) advice.requested(one)
    clock.advance(QUIET_MS)
    return said.splice(0).flat()
  }
  return { advice, after, clock, said }
}

it('names what no rule allows as one line for each resource, once it is quiet', () => {
  const { advice, after } = setUp()
  advice.started(run('get'))
  expect(after(request('get'), request('patch'), request('create'), request('list', 'secrets'))).toEqual([
    "{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'patch', 'delete'] },",
    "{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] },",
  ])
})

it('says a line once, and again when there is more to it or the operator was restarted', () => {
  const { advice, after } = setUp()
  advice.started(run())
  expect(after(request('get'))).toHaveLength(1)
  expect(after(request('get'))).toEqual([])
  expect(after(request('list'))).toEqual(["{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },"])
  advice.restart()
  advice.started(run('list'))
  expect(after(request('get'), request('list'))).toEqual([
    "{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },",
  ])
})

it('says nothing when everything is allowed, or after it was closed', () => {
  const { advice, after, clock } = setUp()
  advice.started(run('get'))
  expect(after(request('get'))).toEqual([])
  advice.requested(request('delete'))
  advice.close()
  expect(clock.timers).toBe(0)
})
