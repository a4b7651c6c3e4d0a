// Whether a server still does all that it does by itself: rolls out, assigns, collects garbage, ends namespaces, serves new
// kinds. Waits for each; the test's own timeout says that something stands still.

import { expect } from 'vitest'
import type { NumbersServer } from './numbers-server.ts'
import { sampleOf } from './sample-objects.ts'

export async function expectLife(server: NumbersServer): Promise<void> {
  await Promise.all([rollsOut(server), assigns(server), collects(server), endsNamespaces(server), documents(server)])
}

async function rollsOut({ ask, until }: NumbersServer): Promise<void> {
  const { spec } = sampleOf('apps/v1', 'Deployment') as { spec: object }
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'alive' } }
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const body = { ...deployment, spec: { ...spec, replicas: 2 } }
  expect((await ask('POST', path, body)).status).toBe(201)
  await until(`${path}/alive`, ({ status }) => status?.availableReplicas === 2)
}

async function assigns({ ask, until }: NumbersServer): Promise<void> {
  const base = '/apis/colonies.io/v1/namespaces/default'
  const identity = (kind: string) => ({ apiVersion: 'colonies.io/v1', kind, metadata: { name: 'alive' } })
  const executor = { ...identity('Executor'), spec: { type: 'numbers' } }
  expect((await ask('POST', `${base}/executors`, executor)).status).toBe(201)
  const process = { ...identity('Process'), spec: { funcName: 'alive', conditions: { executorType: 'numbers' } } }
  expect((await ask('POST', `${base}/processes`, process)).status).toBe(201)
  await until(`${base}/processes/alive`, ({ status }) => {
    if (status?.phase === 'Running') return true
    // Whatever waits before it is taken first.
    void ask('POST', `${base}/executors/alive/assign?timeoutSeconds=0`, { max: 100 })
    return false
  })
}

async function collects({ ask, until }: NumbersServer): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps'
  const map = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...more },
  })
  const owner = JSON.parse((await ask('POST', path, map('owner'))).text)
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }]
  expect((await ask('POST', path, map('owned', { ownerReferences }))).status).toBe(201)
  await ask('DELETE', `${path}/owner`)
  await until(`${path}/owned`, (_, status) => status === 404)
}

async function endsNamespaces({ ask, until }: NumbersServer): Promise<void> {
  await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ending' } })
  await ask('DELETE', '/api/v1/namespaces/ending')
  await until('/api/v1/namespaces/ending', (_, status) => status === 404)
}

async function documents({ ask }: NumbersServer): Promise<void> {
  const index = JSON.parse((await ask('GET', '/openapi/v3')).text) as { paths: Record<string, unknown> }
  for (const path of Object.keys(index.paths)) expect((await ask('GET', `/openapi/v3/${path}`)).status).toBe(200)
  for (const accept of ['application/json', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'])
    expect((await ask('GET', '/openapi/v2', undefined, { accept })).status).toBe(200)
}
