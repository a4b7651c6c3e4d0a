import { type Clock, ManualClock } from '@homeostat/base'
import { expect, test } from 'vitest'
import { ALONE } from '../duties/duties.ts'
import type { ApiExtension, ExtensionRequest } from '../registry/api-extension.ts'
import { passedOn } from './pass-on.ts'

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a call that nobody leads waits as long as ever when the clock is set %s', async (_, step) => {
  const time = new ManualClock(0)
  let ahead = 0
  const clock: Clock = {
    now: () => time.now() + ahead,
    uptime: () => time.now(),
    setTimer: (ms, callback) => time.setTimer(ms, callback),
  }
  const duties = { ...ALONE, isShared: true, leader: () => undefined }
  const extension: ApiExtension = {
    group: 'colonies.io',
    version: 'v1',
    resource: 'executors',
    subresource: 'assign',
    verb: 'create',
    ledBy: () => 'queue',
    connect: () => Promise.reject(new Error('it does not lead')),
  }
  const never = () => Promise.reject(new Error('there is nobody to ask'))
  const { connect } = passedOn(extension, { clock, duties: () => duties, sessions: never })
  const asked = { namespace: 'n', name: 'e', query: new URLSearchParams() } as unknown as ExtensionRequest
  let failure: unknown
  const ended = connect(asked, { username: 'u', groups: [] }, new AbortController().signal).catch((error: unknown) => {
    failure = error
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      time.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await pass(5000)
  ahead = step
  await pass(4800)
  expect(failure).toBeUndefined()
  await pass(400)
  await ended
  expect(failure).toMatchObject({ code: 503 })
})

test('a call is passed on over TLS alone, whatever address a Lease names', async () => {
  for (const address of ['http://evil.example:80', 'file:///etc/passwd', 'evil', '']) {
    const time = new ManualClock(0)
    const duties = { ...ALONE, isShared: true, leader: () => ({ id: 'other', address }) }
    const extension: ApiExtension = {
      group: 'colonies.io',
      version: 'v1',
      resource: 'executors',
      subresource: 'assign',
      verb: 'create',
      ledBy: () => 'queue',
      connect: () => Promise.reject(new Error('it does not lead')),
    }
    let isAsked = false
    const sessions = () => {
      isAsked = true
      return Promise.reject(new Error('asked'))
    }
    const { connect } = passedOn(extension, { clock: time, duties: () => duties, sessions })
    const asked = { namespace: 'n', name: 'e', query: new URLSearchParams(), bytes: async () => Buffer.from('secret') }
    const user = { username: 'u', groups: [] }
    const call = connect(asked as unknown as ExtensionRequest, user, new AbortController().signal)
    const failure = expect(call).rejects.toMatchObject({ code: 503 })
    for (let passed = 0; passed <= 10_000; passed += 100) {
      time.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await failure
    expect(isAsked).toBe(false)
  }
})
