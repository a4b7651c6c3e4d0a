// Records an OpenTelemetry span for every reconcile, if @opentelemetry/api is installed and has a tracer. Without it
// nothing happens; the import is tried once, at startup.

import { messageOf } from '@homeostat/base'
import type { ObservedOutcome, Observer, RunFacts } from '../runtime/companions.ts'

type Api = typeof import('@opentelemetry/api')

/** Undefined when the API is not installed. */
export async function traceRuns(): Promise<Observer | undefined> {
  try {
    // Of the project that traces, and only if it is there.
    return new RunTracer(await import('@opentelemetry/api'))
  } catch {
    return undefined
  }
}

class RunTracer implements Observer {
  readonly #api: Api

  constructor(api: Api) {
    this.#api = api
  }

  around(run: RunFacts, work: () => Promise<ObservedOutcome>): Promise<ObservedOutcome> {
    // Looked up for every reconcile: a provider may be set after the operator started.
    const tracer = this.#api.trace.getTracer('homeostat-operator')
    const attributes = {
      'homeostat.kind': run.kind,
      'homeostat.api_version': run.apiVersion,
      'homeostat.name': run.name,
      ...(run.namespace !== undefined && { 'homeostat.namespace': run.namespace }),
      'homeostat.cause': run.trigger,
    }
    return tracer.startActiveSpan(`reconcile ${run.kind}`, { attributes }, async (span) => {
      try {
        const end = await work()
        span.setAttribute('homeostat.outcome', end.result)
        if (end.result === 'error' || end.result === 'terminal') this.#fail(span, end.error)
        return end
      } catch (error) {
        this.#fail(span, error)
        throw error
      } finally {
        span.end()
      }
    })
  }

  #fail(span: import('@opentelemetry/api').Span, error: unknown): void {
    const message = messageOf(error)
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message })
    span.recordException(error instanceof Error ? error : message)
  }
}
