// Which colony answers: the one of the term that goes on, however late an earlier term of the same shard starts or ends.

import { shardOf } from '@homeostat/apiserver'
import { ManualClock } from '@homeostat/base'
import { isStatusError } from '@homeostat/meta'
import { expect, it } from 'vitest'
import type { ExecutorCalls } from './calls.ts'
import type { RuleParts } from './rule-parts.ts'
import { RunningColonies } from './running-colonies.ts'

const SHARD = shardOf('lab')
const running = () => new RunningColonies(new ManualClock(0))

/** It answers a heartbeat with its name. */
function colony(name: string): ExecutorCalls & RuleParts {
  return { heartbeat: async () => ({ body: name }) } as unknown as ExecutorCalls & RuleParts
}

async function answerOf(colonies: RunningColonies): Promise<unknown> {
  const { body } = await (await colonies.of('lab')).heartbeat({} as never)
  return body
}

it('answers by the next term of a shard, also while the former one still ends', async () => {
  const colonies = running()
  const [first, second] = [new AbortController(), new AbortController()]
  const removeFirst = colonies.add(SHARD, colony('first'), first.signal)
  expect(await answerOf(colonies)).toBe('first')
  first.abort()
  const waiting = answerOf(colonies)
  colonies.add(SHARD, colony('second'), second.signal)
  expect(await waiting).toBe('second')
  // Its last write was held up for longer than a hand-over waits.
  removeFirst()
  expect(await answerOf(colonies)).toBe('second')
})

it('lets no term that was long in starting come in place of the next one', async () => {
  const colonies = running()
  const [first, second] = [new AbortController(), new AbortController()]
  first.abort()
  colonies.add(SHARD, colony('second'), second.signal)
  const removeFirst = colonies.add(SHARD, colony('first'), first.signal)
  expect(await answerOf(colonies)).toBe('second')
  removeFirst()
  expect(await answerOf(colonies)).toBe('second')
})

it('waits for a term that starts, but not for long', async () => {
  const clock = new ManualClock(0)
  const colonies = new RunningColonies(clock)
  const answer = answerOf(colonies).catch((error: unknown) => error)
  clock.advance(10_000)
  expect(isStatusError(await answer, 'ServiceUnavailable')).toBe(true)
})

it('says of the colony of all namespaces that it ends, while it does', async () => {
  const colonies = running()
  const ending = new AbortController()
  const remove = colonies.add(undefined, colony('only'), ending.signal)
  ending.abort()
  expect(await answerOf(colonies)).toBe('only')
  remove()
  expect(() => colonies.of('lab')).toThrow('the server ends')
})
