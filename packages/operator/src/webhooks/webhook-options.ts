// Where the webhooks of a run are served, and how the API server reaches them.

export interface WebhookOptions {
  /** The address to listen on. Default 127.0.0.1; 0.0.0.0 with a service. */
  readonly host?: string
  /** Default: any free one; 9443 with a service. */
  readonly port?: number
  /** The name or address by which the API server reaches this program. Default: the host. */
  readonly reachableAt?: string
  /** The Service that leads to this program and its replicas, instead. Default: that of HOMEOSTAT_OPERATOR_SERVICE, `namespace/name`. */
  readonly service?: WebhookService
  /** What the API server does when this program does not answer. Default Fail: then nobody writes the kind. */
  readonly failurePolicy?: 'Fail' | 'Ignore'
  /** Serves them in the process of the API server instead: an add-on passes its `serveWebhooks`, and test environments set it. */
  readonly here?: ((answer: LocalAnswer) => LocalWebhooks) | undefined
}

export interface WebhookService {
  readonly namespace: string
  readonly name: string
  /** Of the Service. Default 443. */
  readonly port?: number
}

/** Gets the path and the JSON of a review, and returns the JSON of the answer. */
export type LocalAnswer = (path: string, body: string) => Promise<string>

export interface LocalWebhooks {
  /** `https://host`, for URLs. */
  readonly url: string
  close(): void
}

const SERVICE_PORT = 9443

/** Where a program behind a Service listens. */
export function listeningBehindService({ host = '127.0.0.1', port = SERVICE_PORT }: WebhookOptions): {
  readonly host: string
  readonly port: number
} {
  return { host: host === '127.0.0.1' ? '0.0.0.0' : host, port }
}
