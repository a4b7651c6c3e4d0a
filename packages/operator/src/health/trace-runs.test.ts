import { type Attributes, type Span, type SpanOptions, type Tracer, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ObservedOutcome, Observer } from '../runtime/companions.ts'
import { traceRuns } from './trace-runs.ts'

interface Recorded {
  readonly name: string
  readonly attributes: Attributes
  status?: unknown
  exception?: unknown
  ended: boolean
}

const spans: Recorded[] = []

/** The minimum that a tracer provider must implement to receive spans. */
const tracer: Tracer = {
  startSpan: (name, options) => spanOf(name, options),
  startActiveSpan: ((name: string, options: SpanOptions, work: (span: Span) => unknown) =>
    work(spanOf(name, options))) as Tracer['startActiveSpan'],
}

function spanOf(name: string, options?: SpanOptions): Span {
  const recorded: Recorded = { name, attributes: { ...options?.attributes }, ended: false }
  spans.push(recorded)
  const span = {
    setAttribute(key: string, value: string) {
      recorded.attributes[key] = value
      return span
    },
    setStatus(status: unknown) {
      recorded.status = status
      return span
    },
    recordException(exception: unknown) {
      recorded.exception = exception
    },
    end() {
      recorded.ended = true
    },
  } as unknown as Span
  return span
}

const facts = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'home', namespace: 'web', trigger: 'created' }

async function around(work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome> {
  const observer = (await traceRuns()) as Required<Pick<Observer, 'around'>>
  return observer.around(facts, work)
}

describe('tracing', () => {
  beforeEach(() => {
    spans.length = 0
    trace.setGlobalTracerProvider({ getTracer: () => tracer })
  })
  afterEach(() => trace.disable())

  it('makes one span of a run, with what ran, why, and how it ended', async () => {
    expect(await around(async () => ({ result: 'success' }))).toEqual({ result: 'success' })
    expect(spans).toEqual([
      {
        name: 'reconcile Site',
        attributes: {
          'homeostat.kind': 'Site',
          'homeostat.api_version': 'ex.io/v1',
          'homeostat.name': 'home',
          'homeostat.namespace': 'web',
          'homeostat.cause': 'created',
          'homeostat.outcome': 'success',
        },
        ended: true,
      },
    ])
  })

  it('says what went wrong', async () => {
    await around(async () => ({ result: 'error', error: new Error('no database') }))
    expect(spans[0]).toMatchObject({ status: { code: 2, message: 'no database' }, ended: true })
    expect(spans[0]?.attributes['homeostat.outcome']).toBe('error')
  })

  it('takes waiting for no error', async () => {
    await around(async () => ({ result: 'waiting', error: new Error('not yet') }))
    expect(spans[0]?.status).toBeUndefined()
  })

  it('ends the span of a run that throws', async () => {
    await expect(
      around(async () => {
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    expect(spans[0]).toMatchObject({ status: { code: 2 }, ended: true })
  })

  it('costs nothing to a program that set no tracer up', async () => {
    trace.disable()
    expect(await around(async () => ({ result: 'success' }))).toEqual({ result: 'success' })
    expect(spans).toEqual([])
  })
})
