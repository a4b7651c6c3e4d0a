import { readFileSync } from 'node:fs'
import { testEnv } from '@homeostat/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { claimed, claimOf, isHeldByOther } from './claim.ts'
import { director, startRequest } from './director.ts'
import { parseFlags } from './flags.ts'
import {
  API_VERSION,
  entered,
  isFinished,
  KIND,
  newRequest,
  nextRequest,
  type RequestState,
  type State,
} from './request-state.ts'
import { worker } from './worker.ts'

const file = (name: string) => parse(readFileSync(`${import.meta.dirname}/crds/${name}`, 'utf8'))
const definition = file('request-state.yaml')

async function start() {
  const env = await testEnv({ definitions: [definition] })
  onTestFinished(() => env.close())
  const said: string[] = []
  return {
    env,
    said,
    say: (line: string) => said.push(line),
    at: (name: string) => ({ apiVersion: API_VERSION, kind: KIND, namespace: 'default', name }),
    steps: ({ status }: RequestState) => status?.history?.map(({ job, state }) => `${job} ${state}`),
  }
}

const ALL = ['JOB1 REQUESTED', 'JOB1 STARTED', 'JOB1 COMPLETED', 'JOB2 REQUESTED', 'JOB2 STARTED', 'JOB2 COMPLETED']

test('director and worker take a request through its seven steps, and the history has every state', async () => {
  const { env, said, say, at, steps } = await start()
  await env.apply(file('sample.yaml'))
  const jobs: string[] = []
  env.run(worker({ identity: 'w', say, work: async (job) => void jobs.push(job) }), { name: 'worker' })
  const { promise: finished, resolve: onFinished } = Promise.withResolvers<void>()
  expect(await startRequest(env.client, 'mine', 'default', env.clock.now())).toBe(true)
  env.run(director({ uid: 'mine', say, onFinished }), { name: 'director' })
  await finished
  const request = await env.until<RequestState>(at('mine'), ({ spec }) => isFinished(spec))
  expect(steps(request)).toEqual(ALL)
  expect(request.status?.history?.every(({ timestamp }) => !Number.isNaN(Date.parse(timestamp)))).toBe(true)
  expect(jobs).toEqual(['JOB1', 'JOB2'])
  expect(said).toContain('request mine: finished')
})

test('several workers do each job once', async () => {
  const { env, say, at, steps } = await start()
  const jobs: string[] = []
  const requests = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const identity of ['w1', 'w2', 'w3']) {
    env.run(worker({ identity, say, work: async (job) => void jobs.push(job) }), { name: identity })
  }
  env.run(director({ uid: 'none', say, onFinished: () => {} }), { name: 'director' })
  for (const uid of requests) await startRequest(env.client, uid, 'default', env.clock.now())
  for (const uid of requests) {
    expect(steps(await env.until<RequestState>(at(uid), ({ spec }) => isFinished(spec)))).toEqual(ALL)
  }
  expect(jobs.sort()).toEqual([...requests.map(() => 'JOB1'), ...requests.map(() => 'JOB2')])
})

test('a job whose worker is gone is taken over, and one that is renewed is not', async () => {
  const { env, say, at } = await start()
  const { promise: working, resolve: begun } = Promise.withResolvers<void>()
  const gone = env.run(
    worker({
      identity: 'gone',
      say,
      claimMs: 30_000,
      work: (_job, signal) => {
        begun()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }),
    { name: 'gone', shutdown: '0s' },
  )
  await startRequest(env.client, 'a', 'default', env.clock.now())
  await working
  env.run(worker({ identity: 'next', say, claimMs: 30_000, work: async () => {} }), { name: 'next' })
  for (let i = 0; i < 5; i++) {
    const before = claimOf(await env.until<RequestState>(at('a'), () => true))
    env.clock.advance(11_000)
    await env.until<RequestState>(at('a'), (one) => (claimOf(one)?.until ?? 0) > (before?.until ?? 0))
  }
  expect(claimOf(await env.until<RequestState>(at('a'), () => true))?.worker).toBe('gone')
  await gone.close()
  env.clock.advance(31_000)
  const done = await env.until<RequestState>(at('a'), ({ spec }) => spec.state === 'COMPLETED')
  expect(claimOf(done)).toBeUndefined()
})

test('a director that is started again with its uid goes on with its request', async () => {
  const { env, say, at } = await start()
  await startRequest(env.client, 'a', 'default', env.clock.now())
  const { promise: finished, resolve: onFinished } = Promise.withResolvers<void>()
  expect(await startRequest(env.client, 'a', 'default', env.clock.now())).toBe(false)
  env.run(director({ uid: 'a', say, onFinished }), { name: 'director' })
  env.run(worker({ identity: 'w', say, work: async () => {} }), { name: 'worker' })
  await finished
  expect(isFinished((await env.until<RequestState>(at('a'), () => true)).spec)).toBe(true)
})

test.each<[string, State, string | undefined]>([
  ['JOB1', 'REQUESTED', undefined],
  ['JOB1', 'STARTED', undefined],
  ['JOB1', 'COMPLETED', 'JOB2'],
  ['JOB2', 'COMPLETED', undefined],
  ['JOB9', 'REQUESTED', undefined],
])('after %s %s a director asks for %s', (job, state, next) => {
  expect(nextRequest({ job, state })?.job).toBe(next)
})

test('a claim is held until its time, and only against others', () => {
  const request = claimed(newRequest('a', 'default', 0), { worker: 'w', until: 1000 })
  const claim = claimOf(request)
  expect([isHeldByOther(claim, 'x', 999), isHeldByOther(claim, 'x', 1000), isHeldByOther(claim, 'w', 0)]).toEqual([
    true,
    false,
    false,
  ])
  expect(claimOf(claimed(request, undefined))).toBeUndefined()
  expect(entered(request, { job: 'JOB1', state: 'STARTED' }, 0).metadata).toEqual(request.metadata)
})

test('flags are read in the spelling of Go, and what is wrong is said', () => {
  expect(parseFlags(['-mode', 'worker', '--namespace=lab', '-kubeconfig=/x'])).toMatchObject({
    mode: 'worker',
    namespace: 'lab',
    kubeconfig: '/x',
  })
  expect(parseFlags([])).toMatchObject({ mode: 'director', namespace: 'default' })
  expect(() => parseFlags(['-mode', 'boss'])).toThrow('-mode boss: there are director and worker')
  expect(() => parseFlags(['-namespace'])).toThrow('-namespace needs a value')
  expect(() => parseFlags(['x'])).toThrow('unknown argument x')
})
