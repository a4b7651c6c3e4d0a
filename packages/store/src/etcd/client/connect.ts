// Makes a client of etcd. The store is its only caller. Which member is asked is the pool's business; what may be repeated is
// decided here.

import { type EtcdClientOptions, type Settings, withDefaults } from './client-options.ts'
import type { Connection } from './connection.ts'
import type {
  Alarm,
  CallOptions,
  EtcdClient,
  EtcdClientStats,
  EtcdHealth,
  EtcdWatch,
  Member,
  MemberStatus,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
  WatchRequest,
} from './contract.ts'
import { newCounters } from './counters.ts'
import { EtcdError, isEtcdError } from './etcd-error.ts'
import { framed } from './grpc-frame.ts'
import { isStaleToken } from './grpc-status.ts'
import { decodeRange, decodeTxn, encodeCompaction, encodeRange, encodeTxn } from './kv-messages.ts'
import { decodeAlarms, decodeMembers, decodeStatus, encodeEmpty } from './member-messages.ts'
import { MemberPool, STATUS_PATH } from './member-pool.ts'
import { Watch } from './watch.ts'

/** Rejects when no member can serve, with what each of them said. */
export async function connectEtcd(options: EtcdClientOptions): Promise<EtcdClient> {
  const client = new Client(withDefaults(options))
  try {
    await client.start()
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}

interface Call {
  readonly path: string
  readonly body: Buffer
  /** It may be repeated though it may have been applied. */
  readonly repeatable: boolean
  readonly needsLeader: boolean
}

/** What is asked of the member alone, without a leader. */
function question(path: string): Call {
  return { path, body: framed(encodeEmpty()), repeatable: true, needsLeader: false }
}

/** From the second failure on: the next member may fail at once, too, and the only one may answer for itself and nothing else. */
const RETRY_PAUSE_MS = 50

class Client implements EtcdClient {
  readonly #settings: Settings
  readonly #counters = newCounters()
  readonly #pool: MemberPool

  constructor(settings: Settings) {
    this.#settings = settings
    this.#pool = new MemberPool(settings, this.#counters)
  }

  start(): Promise<void> {
    return this.#pool.firstRound()
  }

  range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse> {
    const needsLeader = request.serializable !== true
    const call = { path: '/etcdserverpb.KV/Range', body: framed(encodeRange(request)), repeatable: true, needsLeader }
    return this.#call(call, decodeRange, options)
  }

  async txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse> {
    const body = framed(encodeTxn(request))
    const { maxRequestBytes } = this.#settings
    if (body.length > maxRequestBytes)
      throw new EtcdError('too-large', `the request has ${body.length} bytes, etcd takes ${maxRequestBytes}`)
    const reads = [...request.success, ...(request.failure ?? [])].every(({ type }) => type === 'range')
    const call = { path: '/etcdserverpb.KV/Txn', body, repeatable: reads, needsLeader: true }
    return this.#call(call, decodeTxn, options)
  }

  compact(revision: number, options?: CallOptions): Promise<void> {
    const body = framed(encodeCompaction(revision))
    // The second time it answers that it is compacted, which a caller has to bear anyway.
    const call = { path: '/etcdserverpb.KV/Compact', body, repeatable: true, needsLeader: true }
    return this.#call(call, () => {}, options)
  }

  watch(request: WatchRequest, signal: AbortSignal): EtcdWatch {
    const { requestTimeoutMs, maxResponseBytes } = this.#settings
    const target = async () => {
      const connection = this.#pool.connection ?? (await this.#pool.wait(requestTimeoutMs, signal))
      return { connection, token: this.#pool.token }
    }
    return new Watch(target(), request, signal, maxResponseBytes)
  }

  status(options?: CallOptions): Promise<MemberStatus> {
    return this.#call(question(STATUS_PATH), decodeStatus, options)
  }

  alarms(options?: CallOptions): Promise<readonly Alarm[]> {
    return this.#call(question('/etcdserverpb.Maintenance/Alarm'), decodeAlarms, options)
  }

  members(options?: CallOptions): Promise<readonly Member[]> {
    return this.#call(question('/etcdserverpb.Cluster/MemberList'), decodeMembers, options)
  }

  health(): EtcdHealth {
    return this.#pool.health()
  }

  stats(): EtcdClientStats {
    return { ...this.#counters }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #call<T>(call: Call, decode: (bytes: Buffer, endpoint: string) => T, options: CallOptions = {}): Promise<T> {
    const { requestTimeoutMs } = this.#settings
    const { path, body, needsLeader } = call
    const end = performance.now() + (options.timeoutMs ?? 2 * requestTimeoutMs)
    this.#counters.calls++
    for (let attempt = 0; ; attempt++) {
      const left = Math.max(1, end - performance.now())
      const timeoutMs = Math.min(left, requestTimeoutMs)
      let connection: Connection | undefined
      let token: string | undefined
      try {
        options.signal?.throwIfAborted()
        connection = this.#pool.connection ?? (await this.#pool.wait(timeoutMs, options.signal))
        token = this.#pool.token
        const answer = await connection.call({ path, body, token, timeoutMs, signal: options.signal, needsLeader })
        this.#pool.answered()
        return decode(answer, connection.endpoint)
      } catch (cause) {
        const error = asEtcdError(cause, options.signal)
        if (connection !== undefined && (await this.#mayRepeat(call, error, connection, token, attempt, end))) continue
        this.#counters.failedCalls++
        throw call.repeatable && error.maybeApplied ? unapplied(error) : error
      }
    }
  }

  /** Tells the pool what the failure says of the member, and decides whether the call is made once more. */
  async #mayRepeat(
    call: Call,
    error: EtcdError,
    connection: Connection,
    token: string | undefined,
    attempt: number,
    end: number,
  ): Promise<boolean> {
    if (error.kind === 'no-space') this.#pool.note('no-space', error.message)
    if (error.kind === 'denied') {
      if (isStaleToken(error) && this.#settings.user !== undefined && attempt === 0) {
        return this.#pool.refreshToken(connection, token).then(
          () => true,
          () => false,
        )
      }
      this.#pool.note('denied', error.message)
      return false
    }
    if (!LEAVES_MEMBER.has(error.kind)) return false
    this.#pool.suspect(connection, error)
    if (error.maybeApplied && !call.repeatable) return false
    if (performance.now() + RETRY_PAUSE_MS >= end) return false
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
    return true
  }
}

/** Failures that another member may not have. */
const LEAVES_MEMBER: ReadonlySet<EtcdError['kind']> = new Set(['unreachable', 'timeout', 'no-leader', 'learner'])

function asEtcdError(cause: unknown, signal: AbortSignal | undefined): EtcdError {
  if (isEtcdError(cause)) return cause
  if (signal?.aborted) return new EtcdError('aborted', 'the call was aborted', { cause })
  return new EtcdError('protocol', `an answer that cannot be read: ${cause}`, { maybeApplied: true, cause })
}

function unapplied(error: EtcdError): EtcdError {
  const { grpcStatus, endpoint, compactRevision } = error
  return new EtcdError(error.kind, error.message, { grpcStatus, endpoint, compactRevision, cause: error })
}
