// Builds a client: the sender sends its requests, and discovery finds the paths of kinds.

import { type Clock, systemClock } from '@homeostat/base'
import { type Duration, milliseconds } from '@homeostat/meta'
import type { Client } from './api/client.ts'
import type { ApiObject } from './api/kinds.ts'
import type { Transport } from './api/transport.ts'
import { Discovery } from './discovery/discovery.ts'
import { KindAccess } from './resource/kind-access.ts'
import { KindClient } from './resource/resource-client.ts'
import { readJson } from './response/read-body.ts'
import { MAX_EVENT_BYTES } from './response/watch-events.ts'
import { type RateLimit, RateLimiter } from './send/rate-limiter.ts'
import { DEFAULT_LIMITS, type RetryLimits } from './send/retry-plan.ts'
import { Sender } from './send/sender.ts'
import { Warnings } from './send/warnings.ts'

export interface ClientOptions {
  /** Called with the warnings of servers, each text once. */
  readonly onWarning?: (text: string) => void
  /** Limits of retries. Default: 10 tries within 120 s. */
  readonly retry?: { readonly tries?: number; readonly total?: Duration }
  /** Limits the requests of this client, whatever the server allows. Default: none, since servers have limits of their own. */
  readonly rateLimit?: RateLimit | undefined
  /** A longer event ends a watch with an error. Default 16 MiB. */
  readonly maxEventBytes?: number
  readonly clock?: Clock
  /** Between 0 and 1, for the jitter of retries. Default Math.random. */
  readonly random?: () => number
}

export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const { rateLimit, clock = systemClock } = options
  return connect(transport, options, rateLimit && new RateLimiter(rateLimit, clock))
}

function connect(transport: Transport, options: ClientOptions, limiter: RateLimiter | undefined): Client {
  const { onWarning = () => {}, retry, maxEventBytes = MAX_EVENT_BYTES } = options
  const sender = new Sender(transport, {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    limits: limitsOf(retry),
    warnings: new Warnings(onWarning),
    limiter,
  })
  const discovery = new Discovery(sender)
  const resourceOf = <T extends object>(apiVersion: string, kind: string) =>
    new KindClient<T>(new KindAccess(apiVersion, kind, sender, discovery), maxEventBytes)
  return {
    transport,
    resource: (apiVersion, kind) => resourceOf(apiVersion, kind),
    resourceOf: <T extends ApiObject>(apiVersion: string, kind: string) => resourceOf<T>(apiVersion, kind),
    discover: (apiVersion, kind, signal) => discovery.find(apiVersion, kind, signal),
    resources: (signal) => discovery.all(signal),
    request: (request, options) => sender.send(request, (response) => response, options?.retry),
    requestJson: (request) => sender.send(request, readJson),
    over: (other) => connect(other, options, limiter),
    close() {
      sender.close()
      transport.close()
    },
  }
}

function limitsOf({ tries, total }: NonNullable<ClientOptions['retry']> = {}): RetryLimits {
  return {
    tries: tries ?? DEFAULT_LIMITS.tries,
    totalMs: total === undefined ? DEFAULT_LIMITS.totalMs : milliseconds(total),
  }
}
