// The kube-apiserver that the environment names, on an etcd of the bench, with RBAC and a token of an administrator. The bench brings none.

import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { definition } from '../items/definition.ts'
import { COLLECTION } from '../items/item.ts'
import { freePort } from './homeostat.ts'
import { asServer, type Server, track } from './server.ts'

const READY_WITHIN_MS = 120_000

export interface KubeApiserver extends Server {
  readonly token: string
}

/** Undefined when none is named. */
export function kubeApiserverProgram(): string | undefined {
  return process.env.HOMEOSTAT_KUBE_APISERVER || undefined
}

/** With the definition and the namespace of the items. */
export async function startKubeApiserver(program: string, etcd: string, directory: string): Promise<KubeApiserver> {
  const token = 'bench'
  const port = await freePort()
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const file = (name: string, text: string | Buffer) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const privateKey = file('sa.key', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const publicKey = file('sa.pub', keys.publicKey.export({ type: 'spki', format: 'pem' }))
  const flags = {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'secure-port': port,
    'cert-dir': directory,
    'token-auth-file': file('tokens.csv', `${token},bench,bench,system:masters\n`),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://bench',
    'service-account-key-file': publicKey,
    'service-account-signing-key-file': privateKey,
    'service-cluster-ip-range': '10.0.0.0/24',
  }
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = track(spawn(program, args, { stdio: 'ignore', cwd: directory }))
  const server = asServer(child, port)
  const call = (method: string, path: string, body?: object) => ask({ port, token, method, path, body })
  const answers = async (path: string) => {
    for (const end = performance.now() + READY_WITHIN_MS; (await call('GET', path)) !== 200; ) {
      if (child.exitCode !== null || performance.now() > end) throw new Error(`kube-apiserver does not serve ${path}`)
      await sleep(50)
    }
  }
  await answers('/readyz')
  await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } })
  await answers(COLLECTION)
  return { ...server, token }
}

interface Asked {
  readonly port: number
  readonly token: string
  readonly method: string
  readonly path: string
  readonly body: object | undefined
}

/** The status of the answer; 0 for none. Its certificate is its own. */
function ask({ port, token, method, path, body }: Asked): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, method, path, headers, agent: false, rejectUnauthorized: false }
    const sent = request(options, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
