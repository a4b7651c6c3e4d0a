import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Job, JobStatus, Pod } from '../kinds.ts'
import { TRACKING } from './job-count.ts'
import { INDEX } from './job-indexes.ts'
import { planJob } from './job-plan.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')
const at = (secondsAgo: number) => new Date(NOW - secondsAgo * 1000).toISOString().replace('.000', '')

function job(spec: Job['spec'] = {}, status?: JobStatus): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default', uid: 'j' },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: { spec: { restartPolicy: 'Never' } }, ...spec },
    ...(status && { status }),
  }
}

interface Traits {
  tracked?: boolean
  endedAgo?: number
  index?: number
  deleted?: boolean
  restarts?: number
}

function pod(uid: string, phase: string, { tracked = true, endedAgo = 3600, ...more }: Traits = {}): Pod {
  const ended = phase === 'Succeeded' || phase === 'Failed'
  const exitCode = phase === 'Succeeded' ? 0 : 1
  const state = ended ? { terminated: { exitCode, finishedAt: at(endedAgo) } } : {}
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: uid,
      uid,
      creationTimestamp: at(7200),
      ...(tracked && { finalizers: [TRACKING] }),
      ...(more.index !== undefined && { annotations: { [INDEX]: String(more.index) } }),
      ...(more.deleted && { deletionTimestamp: at(0) }),
    },
    status: {
      phase,
      containerStatuses: [{ name: 'c', image: '', imageID: '', ready: false, restartCount: more.restarts ?? 0, state }],
    },
  }
}

const types = ({ conditions = [] }: JobStatus) =>
  conditions.filter(({ status }) => status === 'True').map(({ type, reason }) => `${type} ${reason}`)

describe('how many pods a job has at a time', () => {
  it.each<[string, Job['spec'], Pod[], number, number]>([
    ['none yet', {}, [], 1, 0],
    ['as many as may run beside each other', { completions: 10, parallelism: 3 }, [], 3, 0],
    [
      'not more than are left',
      { completions: 4, parallelism: 3 },
      'abc'.split('').map((n) => pod(n, 'Succeeded')),
      1,
      0,
    ],
    ['one to make up for a failure that is long ago', {}, [pod('a', 'Failed')], 1, 0],
    ['none so soon after a failure', {}, [pod('a', 'Failed', { endedAgo: 5 })], 0, 0],
    ['fewer than there are', { completions: 9, parallelism: 1 }, [pod('a', 'Running'), pod('b', 'Running')], 0, 1],
    ['without a number, all until one succeeds', { completions: undefined, parallelism: 2 } as never, [], 2, 0],
    [
      'without a number, no more after one succeeded',
      { completions: undefined, parallelism: 2 } as never,
      [pod('a', 'Succeeded'), pod('b', 'Running')],
      0,
      0,
    ],
    ['none while it is suspended', { suspend: true }, [pod('a', 'Running')], 0, 1],
  ])('%s', (_, spec, pods, create, remove) => {
    const plan = planJob(job(spec), pods, NOW)
    expect([plan.create.length, plan.remove.length]).toEqual([create, remove])
  })

  it('waits longer with every failure since the last success', () => {
    const failures = ['a', 'b', 'c'].map((name, index) => pod(name, 'Failed', { endedAgo: 30 + index }))
    expect(planJob(job(), failures, NOW)).toMatchObject({ create: [], requeueAfterMs: 10_000 })
    expect(
      planJob(job({ completions: 2 }), [...failures, pod('s', 'Succeeded', { endedAgo: 1 })], NOW).create,
    ).toHaveLength(1)
  })
})

describe('the count of a job', () => {
  it('takes a pod in three steps, so that it is counted once whatever happens between them', () => {
    const first = planJob(job({ completions: 2 }), [pod('a', 'Succeeded')], NOW)
    expect(first.status).toMatchObject({ uncountedTerminatedPods: { succeeded: ['a'] } })
    expect(first.status.succeeded).toBeUndefined()
    expect(first.release.map(({ metadata }) => metadata.uid)).toEqual(['a'])
    // The same again, as after a crash.
    expect(planJob(job({ completions: 2 }, first.status), [pod('a', 'Succeeded')], NOW).status).toEqual(first.status)
    const released = [pod('a', 'Succeeded', { tracked: false })]
    const second = planJob(job({ completions: 2 }, first.status), released, NOW)
    expect(second.status).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} })
    expect(planJob(job({ completions: 2 }, second.status), [], NOW).status.succeeded).toBe(1)
  })

  it('never loses or repeats an end, whenever the status is written and pods are released or deleted', () => {
    const step = fc.record({ written: fc.boolean(), released: fc.boolean(), deleted: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('Succeeded', 'Failed'), { maxLength: 8 }),
        fc.array(step),
        (phases, steps) => {
          const spec = { completions: 100, parallelism: 0, backoffLimit: 100 }
          let status: JobStatus = {}
          let pods = phases.map((phase, index) => pod(`p${index}`, phase))
          for (const { written, released, deleted } of [...steps, ...Array(4).fill(ALL)]) {
            const plan = planJob(job(spec, status), pods, NOW)
            if (!written) continue
            status = plan.status
            if (!released) continue
            const free = new Set(plan.release.map(({ metadata }) => metadata.uid))
            pods = pods.map((one) =>
              free.has(one.metadata.uid)
                ? pod(one.metadata.uid ?? '', one.status?.phase ?? '', { tracked: false })
                : one,
            )
            if (deleted) pods = pods.filter(({ metadata }) => metadata.finalizers)
          }
          const count = (phase: string) => phases.filter((one) => one === phase).length
          expect([status.succeeded ?? 0, status.failed ?? 0]).toEqual([count('Succeeded'), count('Failed')])
          expect(status.uncountedTerminatedPods).toEqual({})
        },
      ),
    )
  })

  it('takes a pod that somebody deleted for failed', () => {
    const { status } = planJob(job(), [pod('a', 'Running', { deleted: true })], NOW)
    expect(status.uncountedTerminatedPods).toEqual({ failed: ['a'] })
  })

  it('goes by indexes where pods have one', () => {
    const spec = { completions: 5, parallelism: 5, completionMode: 'Indexed' }
    const pods = [
      pod('a', 'Succeeded', { index: 0 }),
      pod('b', 'Succeeded', { index: 1 }),
      pod('c', 'Running', { index: 3 }),
    ]
    const plan = planJob(job(spec), pods, NOW)
    expect(plan.status).toMatchObject({ completedIndexes: '0-1', succeeded: 2 })
    expect(plan.create).toEqual([2, 4])
  })
})

const ALL = { written: true, released: true, deleted: true }

describe('the end of a job', () => {
  it('is announced first, and complete when all is counted', () => {
    const announced = planJob(job(), [pod('a', 'Succeeded')], NOW)
    expect(types(announced.status)).toEqual(['SuccessCriteriaMet CompletionsReached'])
    const done = planJob(job({}, announced.status), [pod('a', 'Succeeded', { tracked: false })], NOW)
    expect(types(done.status)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'])
    expect(done.status).toMatchObject({ succeeded: 1, completionTime: at(0) })
    expect(done.events).toEqual([{ type: 'Normal', reason: 'Completed', message: 'Job completed' }])
    const after = planJob(job({}, done.status), [pod('a', 'Succeeded', { tracked: false })], NOW)
    expect(after).toMatchObject({ status: done.status, create: [], remove: [], release: [], events: [] })
  })

  it.each<[string, Job['spec'], JobStatus, Pod[], string]>([
    ['too many pods failed', { backoffLimit: 0 }, {}, [pod('a', 'Failed')], 'FailureTarget BackoffLimitExceeded'],
    [
      'a pod restarted too often',
      { backoffLimit: 2, template: { spec: { restartPolicy: 'OnFailure' } } },
      {},
      [pod('a', 'Running', { restarts: 2 })],
      'FailureTarget BackoffLimitExceeded',
    ],
    [
      'it takes too long',
      { activeDeadlineSeconds: 60 },
      { startTime: at(60) },
      [pod('a', 'Running')],
      'FailureTarget DeadlineExceeded',
    ],
  ])('is a failure when %s, and what still runs is taken away', (_, spec, status, pods, expected) => {
    const plan = planJob(job(spec, status), pods, NOW)
    expect(types(plan.status)).toEqual([expected])
    expect(plan.create).toEqual([])
    expect(plan.remove).toEqual(pods.filter((one) => one.status?.phase === 'Running'))
  })

  it('comes when its deadline does', () => {
    const plan = planJob(job({ activeDeadlineSeconds: 60 }, { startTime: at(20) }), [pod('a', 'Running')], NOW)
    expect(plan.requeueAfterMs).toBe(40_000)
  })

  it('is followed by its removal, if it says when', () => {
    const conditions = [{ type: 'Complete', status: 'True' as const, lastTransitionTime: at(20) }]
    expect(planJob(job({ ttlSecondsAfterFinished: 30 }, { conditions }), [], NOW).requeueAfterMs).toBe(10_000)
    expect(planJob(job({ ttlSecondsAfterFinished: 20 }, { conditions }), [], NOW).expired).toBe(true)
    expect(planJob(job({}, { conditions }), [], NOW)).not.toHaveProperty('requeueAfterMs')
  })

  it('is put off while it is suspended, and its time begins anew', () => {
    const suspended = planJob(job({ suspend: true, activeDeadlineSeconds: 1 }, { startTime: at(60) }), [], NOW)
    expect(types(suspended.status)).toEqual(['Suspended JobSuspended'])
    expect(suspended.status.startTime).toBeUndefined()
    expect(suspended.events.map(({ reason }) => reason)).toEqual(['Suspended'])
    const resumed = planJob(job({ activeDeadlineSeconds: 1 }, suspended.status), [], NOW)
    expect(types(resumed.status)).toEqual([])
    expect(resumed.status.startTime).toBe(at(0))
    expect(resumed.events.map(({ reason }) => reason)).toEqual(['Resumed'])
    expect(resumed.create).toHaveLength(1)
  })
})
