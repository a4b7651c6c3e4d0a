// Limits the depth from `run()` to an author's function: counts the files of this package whose functions wait for it,
// on the stack or in the chain of awaits. A new layer between the two fails this test.

import { createHook, executionAsyncId } from 'node:async_hooks'
import { eventually } from '@homeostat/base/testing/eventually'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { operator } from './functional/operator.ts'
import { GROUP, stage } from './resources/class-style.fixture.ts'
import { siteKind } from './resources/site.fixture.ts'
import type { Controlled } from './runtime/controlled.ts'

it('between run() and a function are the dispatcher, the controller and the behaviour', async () => {
  const files = await filesAbove((look) =>
    operator(`${GROUP}/v1/Site`, { spec: z.object({}) }, async () => {
      look()
      return []
    }),
  )
  expect(files).toEqual([
    'functional/functional-behaviour.ts',
    'runtime/controller.ts',
    'runtime/dispatcher.ts',
    'run.ts',
  ])
})

it('between run() and a method of a class are the dispatcher, the controller and the behaviour', async () => {
  const files = await filesAbove((look) => siteKind(async () => look()))
  expect(files).toEqual(['resources/class-behaviour.ts', 'runtime/controller.ts', 'runtime/dispatcher.ts', 'run.ts'])
})

/** The files above the calling function, nearest first, each once. */
async function filesAbove(kindOf: (look: () => void) => Controlled): Promise<string[]> {
  const callers = recordCallers()
  let files: string[] | undefined
  const kind = kindOf(() => {
    files ??= callers()
  })
  const { operate, create } = await stage()
  await operate([kind])
  await create('Site', 'a')
  return eventually(() => files)
}

/**
 * Files that do not count as layers: the OpenTelemetry span around a run, and the AsyncLocalStorages around an instance and
 * around what a run writes.
 */
const BESIDE = ['health/trace-runs.ts', 'resources/scope.ts', 'runtime/run-notes.ts']
const OWN = /packages\/operator\/src\/([\w/-]+\.ts)/

/** The stack of the call, and the stacks where its callers started to wait. */
function recordCallers(): () => string[] {
  const parents = new Map<number, { readonly parent: number; readonly frames: readonly string[] }>()
  const hook = createHook({
    init: (id) => parents.set(id, { parent: executionAsyncId(), frames: ownFrames() }),
  }).enable()
  onTestFinished(() => void hook.disable())
  return () => {
    const frames = [...ownFrames()]
    for (let id = executionAsyncId(); parents.has(id); id = parents.get(id)?.parent ?? 0) {
      frames.push(...(parents.get(id)?.frames ?? []))
    }
    return [...new Set(frames)].filter((file) => !/\.(test|fixture)\.ts$/.test(file) && !BESIDE.includes(file))
  }
}

function ownFrames(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 60
  const { stack = '' } = new Error('here')
  Error.stackTraceLimit = stackTraceLimit
  return stack.split('\n').flatMap((line) => OWN.exec(line)?.[1] ?? [])
}
