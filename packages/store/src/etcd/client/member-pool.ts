// Keeps a connection to one member that can serve: it dials the endpoints in turn, admits a member that is new enough, votes and
// knows a leader, and watches over it. The client takes connections from it and tells it which ones failed.

import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from './client-options.ts'
import { Connection } from './connection.ts'
import type { EtcdHealth, EtcdProblem, MemberStatus } from './contract.ts'
import type { Counters } from './counters.ts'
import { EtcdError, isEtcdError } from './etcd-error.ts'
import { framed } from './grpc-frame.ts'
import { isStaleToken } from './grpc-status.ts'
import { decodeStatus, decodeToken, encodeAuthenticate, encodeEmpty } from './member-messages.ts'
import { belowFloor } from './version-floor.ts'

export const STATUS_PATH = '/etcdserverpb.Maintenance/Status'
const AUTHENTICATE_PATH = '/etcdserverpb.Auth/Authenticate'
/** Between two rounds over all endpoints in which no member could serve. */
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 1000

type ProblemKind = EtcdProblem['kind']

export class MemberPool {
  readonly #settings: Settings
  readonly #counters: Counters
  readonly #ended = new AbortController()
  readonly #problems = new Map<ProblemKind, string>()
  readonly #connections = new Set<Connection>()
  #active: Connection | undefined
  /** The endpoint that is dialled next. */
  #next = 0
  #search: Search | undefined
  #token: string | undefined
  #refresh: Promise<void> | undefined

  constructor(settings: Settings, counters: Counters) {
    this.#settings = settings
    this.#counters = counters
  }

  get token(): string | undefined {
    return this.#token
  }

  /** The connection to use; undefined while there is none, and `wait` is to be called. */
  get connection(): Connection | undefined {
    if (this.#active?.usable !== true) return undefined
    return this.#active
  }

  /** Waits for a member that can serve; rejects after a round over all endpoints that ends later than `timeoutMs` from now. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<Connection> {
    const end = performance.now() + timeoutMs
    for (;;) {
      if (this.#ended.signal.aborted) throw new EtcdError('aborted', 'the client is closed')
      const present = this.connection
      if (present !== undefined) return present
      const search = this.#searching()
      const left = end - performance.now()
      if (left <= 0) throw search.lastFailure ?? new EtcdError('unreachable', 'no member could be reached in time')
      await soonest(search.found, left, signal)
      if (signal?.aborted) throw new EtcdError('aborted', 'the call was aborted')
    }
  }

  /** Dials all endpoints once; rejects with why no member can serve. */
  async firstRound(): Promise<void> {
    const failure = await this.#round(this.#ended.signal)
    if (failure !== undefined) throw failure
  }

  /** Another member is asked from now on, if it is still this one's turn. */
  suspect(connection: Connection, error: EtcdError): void {
    connection.retire()
    if (this.#active !== connection) return
    this.#active = undefined
    this.#next = (this.#settings.endpoints.indexOf(connection.endpoint) + 1) % this.#settings.endpoints.length
    this.#problems.set(problemOf(error), error.message)
    if (!this.#ended.signal.aborted) this.#searching()
  }

  note(kind: ProblemKind, message: string): void {
    this.#problems.set(kind, message)
  }

  /** A call was answered: whoever made it has the rights. */
  answered(): void {
    if (this.#problems.size > 0) this.#problems.delete('denied')
  }

  /** Logs in again, unless somebody else has since `stale` was the token. */
  async refreshToken(connection: Connection, stale: string | undefined): Promise<void> {
    if (this.#token !== stale) return
    this.#refresh ??= this.#authenticate(connection).finally(() => {
      this.#refresh = undefined
    })
    await this.#refresh
  }

  health(): EtcdHealth {
    const problems = [...this.#problems].map(([kind, message]) => ({ kind, message }))
    return { endpoint: this.connection?.endpoint, problems }
  }

  async close(): Promise<void> {
    const error = new EtcdError('aborted', 'the client was closed', { maybeApplied: true })
    this.#ended.abort()
    this.#active = undefined
    for (const connection of this.#connections) connection.destroy(error)
    await this.#search?.found
  }

  #searching(): Search {
    if (this.#search !== undefined) return this.#search
    const search: Search = { found: Promise.resolve(), lastFailure: undefined }
    this.#search = search
    search.found = this.#seek(search).finally(() => {
      this.#search = undefined
    })
    return search
  }

  async #seek(search: Search): Promise<void> {
    const { signal } = this.#ended
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
      search.lastFailure = await this.#round(signal)
      if (search.lastFailure === undefined) return
      await delay(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Dials the endpoints in turn until one can serve; else the failure that says most. */
  async #round(signal: AbortSignal): Promise<EtcdError | undefined> {
    const { endpoints } = this.#settings
    const failures: EtcdError[] = []
    for (let count = 0; count < endpoints.length && !signal.aborted; count++) {
      const place = (this.#next + count) % endpoints.length
      try {
        await this.#admit(endpoints[place] ?? '')
        this.#next = place
        return undefined
      } catch (error) {
        if (!isEtcdError(error)) throw error
        failures.push(error)
      }
    }
    if (signal.aborted) return new EtcdError('aborted', 'the client is closed')
    this.#problems.clear()
    for (const failure of failures) this.#problems.set(problemOf(failure), failure.message)
    const [first = new EtcdError('unreachable', 'no endpoint was asked')] = failures.toSorted(
      (a, b) => weightOf(b) - weightOf(a),
    )
    return new EtcdError(first.kind, failures.map(({ message }) => message).join('; '), {
      grpcStatus: first.grpcStatus,
      cause: first,
    })
  }

  async #admit(endpoint: string): Promise<void> {
    const { tls, dialTimeoutMs, maxResponseBytes, user } = this.#settings
    const counters = this.#counters
    const options = { endpoint, tls, dialTimeoutMs, maxResponseBytes, counters }
    const connection = await Connection.dial(options, this.#ended.signal)
    this.#connections.add(connection)
    try {
      if (user !== undefined && this.#token === undefined) await this.refreshToken(connection, undefined)
      const status = await this.status(connection)
      const reason = belowFloor(status.version)
      if (reason !== undefined) throw new EtcdError('too-old', `${endpoint}: ${reason}`, { endpoint })
      if (status.learner)
        throw new EtcdError('learner', `${endpoint}: it is a learner, which does not serve`, { endpoint })
      if (status.leaderId === '0') throw noLeader(endpoint)
      this.#problems.clear()
      this.#readComplaints(status)
    } catch (error) {
      this.#connections.delete(connection)
      connection.destroy(isEtcdError(error) ? error : new EtcdError('protocol', `${error}`))
      throw error
    }
    this.#active = connection
    void this.#watchOver(connection).finally(() => this.#connections.delete(connection))
  }

  /** Asks the member how it is; with a new token, if the one at hand is not accepted. */
  async status(connection: Connection, timeoutMs = this.#settings.dialTimeoutMs): Promise<MemberStatus> {
    const body = framed(encodeEmpty())
    const call = { path: STATUS_PATH, body, timeoutMs, signal: undefined, needsLeader: false }
    const token = this.#token
    try {
      return decodeStatus(await connection.call({ ...call, token }), connection.endpoint)
    } catch (error) {
      if (!isEtcdError(error) || !isStaleToken(error) || this.#settings.user === undefined) throw error
      await this.refreshToken(connection, token)
      return decodeStatus(await connection.call({ ...call, token: this.#token }), connection.endpoint)
    }
  }

  /**
   * Asks again and again, so that a member that hangs is noticed while calls wait for it. Pings of HTTP/2 would not do: etcd
   * ends a connection that pings more than once in five seconds, and a ping knows nothing of leaders and alarms.
   */
  async #watchOver(connection: Connection): Promise<void> {
    const { signal } = this.#ended
    while (connection.usable || connection.busy) {
      await delay(this.#settings.healthMs, undefined, { signal }).catch(() => {})
      if (signal.aborted || connection.broken) break
      const { heard } = connection
      try {
        const status = await this.status(connection)
        if (this.#active !== connection) continue
        if (status.leaderId === '0') this.suspect(connection, noLeader(connection.endpoint))
        else this.#readComplaints(status)
      } catch (error) {
        if (!isEtcdError(error)) throw error
        // A member that is busy with large answers is alive.
        if (error.kind === 'timeout' && connection.heard !== heard) continue
        this.suspect(connection, error)
        const hangs = `${connection.endpoint}: the member does not answer`
        if (error.kind === 'timeout') connection.destroy(new EtcdError('unreachable', hangs))
      }
    }
    if (this.#active === connection && !signal.aborted)
      this.suspect(connection, new EtcdError('unreachable', `${connection.endpoint}: the connection ended`))
  }

  #readComplaints({ endpoint, errors }: MemberStatus): void {
    const find = (word: string) => errors.find((text) => text.includes(word))
    const space = find('NOSPACE')
    const corrupt = find('CORRUPT')
    this.#problems.delete('no-leader')
    this.#set('no-space', space && `${endpoint}: ${space}: ${OUT_OF_SPACE}`)
    this.#set(
      'corrupt',
      corrupt && `${endpoint}: ${corrupt}: the members' data differs; replace the member that differs`,
    )
  }

  #set(kind: ProblemKind, message: string | undefined): void {
    if (message === undefined) this.#problems.delete(kind)
    else this.#problems.set(kind, message)
  }

  async #authenticate(connection: Connection): Promise<void> {
    // Longer than for other questions: members compute a slow hash for each password, on purpose.
    const { user = '', password, requestTimeoutMs: timeoutMs } = this.#settings
    const body = framed(encodeAuthenticate(user, password))
    const call = { path: AUTHENTICATE_PATH, body, timeoutMs, signal: undefined, needsLeader: false, token: undefined }
    try {
      this.#token = decodeToken(await connection.call(call))
      this.#counters.tokenRefreshes++
    } catch (error) {
      if (isEtcdError(error) && error.message.includes('authentication is not enabled')) return
      if (isEtcdError(error, 'denied')) this.#problems.set('denied', `${error.message} (user ${user})`)
      throw error
    }
  }
}

/** The search for a member that can serve, which all callers wait for. */
interface Search {
  found: Promise<void>
  lastFailure: EtcdError | undefined
}

const OUT_OF_SPACE =
  'the database is full, so that etcd only reads and deletes; compact, defragment or raise the quota, then disarm the alarm'

/** What says most about why no member can serve. */
const WEIGHTS: readonly EtcdError['kind'][] = ['learner', 'no-leader', 'denied', 'too-old']
const weightOf = (error: EtcdError) => WEIGHTS.indexOf(error.kind)

function problemOf(error: EtcdError): ProblemKind {
  if (error.kind === 'denied' || error.kind === 'no-leader' || error.kind === 'learner') return error.kind
  return 'unreachable'
}

function noLeader(endpoint: string): EtcdError {
  return new EtcdError(
    'no-leader',
    `${endpoint}: the member knows of no leader; is a majority of the members running?`,
    {
      endpoint,
    },
  )
}

/** Resolves when the work is done, the time is over or the signal aborts, whatever comes first. */
async function soonest(work: Promise<void>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const done = new AbortController()
  const ends = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal])
  await Promise.race([work, delay(ms, undefined, { signal: ends }).catch(() => {})])
  done.abort()
}
