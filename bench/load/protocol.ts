// What the bench asks of its load generator, which runs in a process of its own. Plain values: they cross IPC.

export interface RequestPlan {
  readonly port: number
  readonly connections: number
  readonly count: number
  /** Whole requests as ASCII text. `{n}` is the number of the request, `{k}` that of its object; both have eight digits. */
  readonly text: string
  /** Number of the first request; 0 unless said. */
  readonly first?: number
  /** Object numbers are request numbers times `stride` (1 unless said) modulo `cycle`. */
  readonly cycle?: number
  readonly stride?: number
  readonly status: number
  /** Over TLS. Certificates are not checked: the servers are the bench's own. */
  readonly tls?: boolean
}

export interface WatchPlan {
  readonly port: number
  readonly watchers: number
  readonly text: string
  readonly tls?: boolean
}

/** Watches over HTTP/2 and TLS, many on each connection. They are only kept open. */
export interface Http2WatchPlan {
  readonly port: number
  readonly watchers: number
  readonly path: string
  readonly token: string
}

/** Executors, each with a connection and a name of its own. */
export interface PullPlan {
  readonly port: number
  readonly executors: number
}

/** Latencies are those of answers; in a watched run, those of deliveries, from the first request on. */
export interface LoadResult {
  readonly wallMs: number
  readonly meanMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
}

export type Command =
  /** Opens the connections, so that the cost of connecting is not measured. */
  | { readonly do: 'open'; readonly plan: RequestPlan }
  /** Opens watches, which stay until the end, and answers when all have their head. */
  | { readonly do: 'watch'; readonly plan: WatchPlan }
  | { readonly do: 'watchHttp2'; readonly plan: Http2WatchPlan }
  /** Runs the open plan some times over. Watched, each time ends when every watcher has an event for each request. */
  | { readonly do: 'run'; readonly times: number; readonly watched: boolean }
  /** Opens executors, which stay until the end. */
  | { readonly do: 'executors'; readonly plan: PullPlan }
  /** Takes and closes so many processes that wait. */
  | { readonly do: 'pull'; readonly count: number }
  /** Runs the open plan some times over, each time waiting until an executor has got what it submitted. */
  | { readonly do: 'wake'; readonly times: number }
  /** Closes the connections of the plan. */
  | { readonly do: 'close' }

export interface Request {
  readonly id: number
  readonly command: Command
}

export type Reply =
  | { readonly id: number; readonly result: LoadResult | undefined }
  | { readonly id: number; readonly error: string }
