// The file that holds an executor's credential: a kubeconfig, in JSON so that every language reads it without a library. Its
// token is renewed in a file beside it, which kubectl and our clients read first. It is never readable by others.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { writeJson } from '@homeostat/meta'

/** The extension of the context that names the executor. */
const EXTENSION = 'colonies.io/executor'

export interface ExecutorCredential {
  readonly server: string
  /** PEM of the authority that the server's certificate must be from. */
  readonly ca: string | undefined
  readonly colony: string
  readonly executor: string
  readonly type: string
  readonly token: string
}

/** A credential that was read from its file, with the file of its renewed token. */
export interface StoredCredential extends ExecutorCredential {
  readonly tokenFile: string
}

/** The content of the file at this path. */
export function credentialText(path: string, credential: ExecutorCredential): string {
  const { server, ca, colony, executor, type, token } = credential
  const cluster = {
    server,
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    // Clients refuse plain HTTP to loopback unless they are told so.
    ...(server.startsWith('http:') && { 'insecure-skip-tls-verify': true }),
  }
  const context = {
    cluster: 'homeostat',
    user: executor,
    namespace: colony,
    extensions: [executorExtension(executor, type)],
  }
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': executor,
    clusters: [{ name: 'homeostat', cluster }],
    contexts: [{ name: executor, context }],
    users: [{ name: executor, user: { token, tokenFile: `${basename(path)}.token` } }],
  }
  return `${writeJson(config, 2)}\n`
}

/** Names the executor in the context of a kubeconfig. */
export function executorExtension(executor: string, type: string): object {
  return { name: EXTENSION, extension: { executor, type } }
}

/** Throws EEXIST when the file exists: a credential is never overwritten. */
export function writeCredential(path: string, credential: ExecutorCredential): void {
  writeFileSync(path, credentialText(path, credential), { flag: 'wx', mode: 0o600 })
}

/** Undefined for a file that is not there or no credential of an executor. The token is the newest one. */
export function readCredential(path: string): StoredCredential | undefined {
  const config = parsed(path)
  const [context] = config?.contexts ?? []
  const extension = context?.context?.extensions?.find(({ name }) => name === EXTENSION)?.extension
  const cluster = config?.clusters?.[0]?.cluster
  const user = config?.users?.[0]?.user
  if (!extension?.executor || !cluster?.server || !user?.tokenFile) return undefined
  const folder = dirname(path)
  const tokenFile = resolve(folder, user.tokenFile)
  const token = readIfThere(tokenFile)?.trim() || user.token
  if (!token) return undefined
  const { 'certificate-authority-data': data, 'certificate-authority': file } = cluster
  return {
    server: cluster.server,
    ca: data !== undefined ? Buffer.from(data, 'base64').toString() : file && readIfThere(resolve(folder, file)),
    colony: context?.context?.namespace ?? 'default',
    executor: extension.executor,
    type: extension.type ?? '',
    token,
    tokenFile,
  }
}

/** Replaces the token atomically: a reader sees the old or the new one. */
export function writeToken(tokenFile: string, token: string): void {
  const unfinished = join(dirname(tokenFile), `.${basename(tokenFile)}.${process.pid}.tmp`)
  writeFileSync(unfinished, `${token}\n`, { mode: 0o600 })
  renameSync(unfinished, tokenFile)
}

interface Cluster {
  readonly server?: string
  readonly 'certificate-authority-data'?: string
  readonly 'certificate-authority'?: string
}

interface Config {
  readonly clusters?: { cluster?: Cluster }[]
  readonly contexts?: {
    context?: {
      namespace?: string
      extensions?: { name?: string; extension?: { executor?: string; type?: string } }[]
    }
  }[]
  readonly users?: { user?: { token?: string; tokenFile?: string } }[]
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function parsed(path: string): Config | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Config
  } catch {
    return undefined
  }
}
