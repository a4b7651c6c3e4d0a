// A kube-apiserver of Kubernetes with its etcd, for tests that need its authorization. Both come from the variables
// KUBE_APISERVER and ETCD, or from the PATH; they are no part of this project's tools, so their tests are skipped without.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { findTool } from '../tools.ts'

export interface KubePrograms {
  readonly apiserver: string
  readonly etcd: string
  readonly kubectl: string
}

export function kubePrograms(): KubePrograms | { readonly missing: string } {
  const apiserver = process.env.KUBE_APISERVER ?? findTool('kube-apiserver')
  const etcd = process.env.ETCD ?? findTool('etcd')
  const kubectl = findTool('kubectl')
  if (apiserver && etcd && kubectl) return { apiserver, etcd, kubectl }
  const missing = Object.entries({ 'kube-apiserver': apiserver, etcd, kubectl }).filter(([, path]) => !path)
  return { missing: `${missing.map(([name]) => name).join(' and ')} is neither on the PATH nor named by a variable` }
}

export interface KubeCluster {
  /** kubectl as an administrator. Throws with what it printed when it fails. */
  kubectl(...args: string[]): string
  /** The path of a kubeconfig for a bearer token. */
  kubeconfig(token: string): string
}

const ADMIN = 'administrator'

/** Both processes end with the test. */
export async function startKubeCluster({ apiserver, etcd, kubectl }: KubePrograms): Promise<KubeCluster> {
  const folder = temporaryFolder({ 'tokens.csv': `${ADMIN},admin,1,"system:masters"\n` })
  const [client, peer, port] = await freePorts(3)
  const etcdUrl = `http://127.0.0.1:${client}`
  const peerUrl = `http://127.0.0.1:${peer}`
  const etcdFlags = ['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--listen-peer-urls', peerUrl]
  start(folder, etcd, [...etcdFlags, '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl])
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = join(folder, 'service-accounts.pem')
  writeFileSync(key, privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const server = start(folder, apiserver, [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, 'certificates')}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    // Some clusters check who may name an owner that blocks a deletion.
    '--enable-admission-plugins=OwnerReferencesPermissionEnforcement',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ])
  const kubeconfig = (token: string) => {
    const file = join(folder, `kubeconfig-${token.slice(-8)}`)
    const cluster = { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true }
    const config = {
      clusters: [{ name: 'k', cluster }],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      'current-context': 'c',
    }
    writeFileSync(file, JSON.stringify(config))
    return file
  }
  const env = { ...process.env, KUBECONFIG: kubeconfig(ADMIN), HOME: folder }
  const asAdmin = (...args: string[]) =>
    execFileSync(kubectl, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  await eventually(() => {
    if (server.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8').slice(-4000))
    try {
      return asAdmin('get', '--raw', '/readyz') === 'ok' && asAdmin('get', 'namespace', 'default')
    } catch {
      return false
    }
  })
  return { kubectl: asAdmin, kubeconfig }
}

function start(folder: string, program: string, flags: readonly string[]): ChildProcess {
  const child = spawn(program, flags, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const log = createWriteStream(join(folder, 'log'), { flags: 'a' })
  child.stdout.pipe(log, { end: false })
  child.stderr.pipe(log, { end: false })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return child
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => Object(server.address()).port as number)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
