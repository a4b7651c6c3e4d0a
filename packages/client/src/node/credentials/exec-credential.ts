// The protocol of credential plugins: the environment they are started with and the output they write. Pure.

import { bearer, type Credential } from './credentials.ts'

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

/** The `exec` of a kubeconfig user. */
export interface ExecConfig {
  readonly apiVersion: string
  readonly command: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always'
}

/** The cluster as it is passed to a plugin with `provideClusterInfo`. */
export interface ExecCluster {
  readonly server: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority-data'?: string
}

export interface Issued {
  readonly credential: Credential
  /** Milliseconds since the epoch; undefined: valid until the server refuses it. */
  readonly expires: number | undefined
}

export function checkExecConfig({ apiVersion, command }: ExecConfig): void {
  if (!command) throw new Error('the exec plugin of the user has no command')
  if (!API_VERSIONS.includes(apiVersion)) {
    throw new Error(`exec plugin "${command}": apiVersion ${apiVersion} is not one of ${API_VERSIONS.join(', ')}`)
  }
}

/** The value of KUBERNETES_EXEC_INFO. */
export function execInfo(config: ExecConfig, interactive: boolean, cluster: ExecCluster): string {
  const spec = { interactive, ...(config.provideClusterInfo && { cluster }) }
  return JSON.stringify({ apiVersion: config.apiVersion, kind: 'ExecCredential', spec })
}

export function readExecCredential({ apiVersion, command }: ExecConfig, text: string): Issued {
  const wrong = (what: string) => new Error(`exec plugin "${command}" ${what}`)
  let answer: { apiVersion?: string; kind?: string; status?: Record<string, unknown> }
  try {
    answer = JSON.parse(text)
  } catch {
    // The parser's error is dropped: it quotes the input, which may contain a token.
    throw wrong('did not answer with JSON')
  }
  if (answer?.kind !== 'ExecCredential') throw wrong('did not answer with an ExecCredential')
  if (answer.apiVersion !== apiVersion) {
    throw wrong(`answered in ${answer.apiVersion}, and the kubeconfig says ${apiVersion}`)
  }
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = answer.status ?? {}
  if (!isText(token) && !(isText(cert) && isText(key))) throw wrong('answered with no token and no client certificate')
  const expires = expirationTimestamp === undefined ? undefined : Date.parse(`${expirationTimestamp}`)
  if (Number.isNaN(expires)) throw wrong(`answered with an expirationTimestamp that is no time: ${expirationTimestamp}`)
  return {
    credential: { ...(isText(token) && bearer(token)), ...(isText(cert) && isText(key) && { cert, key }) },
    expires,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
