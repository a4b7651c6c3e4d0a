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
