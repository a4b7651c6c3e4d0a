// What `synth` writes is applied to a real kube-apiserver, and the operator runs there with only these rights.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@homeostat/base/testing/eventually'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { spawnHomeostat } from '../server-process.ts'
import { kubePrograms, startKubeCluster } from './kube-cluster.ts'

const programs = kubePrograms()
if ('missing' in programs) process.stderr.write(`skipped: synth on a kube-apiserver, since ${programs.missing}\n`)

const ACCESS = `access: [
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'] },
],`

/** A child, an Event, a status, a finalizer, and the Lease of a leader. */
const program = (access: string) => `
import { operator, run } from '@homeostat/operator'
import { z } from 'zod'
const note = operator(
  'ex.io/v1/Note',
  { spec: z.object({ text: z.string() }), ${access} },
  async ({ child, event, spec }) => {
    event({ reason: 'Seen', message: 'it was seen' })
    return [spec.text !== 'none' && child('v1', 'ConfigMap', { data: { text: spec.text } })]
  },
  { finalize: async () => {} },
)
await run(note, { name: 'notes', leaderElection: true, health: { port: 0, host: '0.0.0.0' } }).done
`

const NOTE = {
  apiVersion: 'ex.io/v1',
  kind: 'Note',
  metadata: { name: 'n', namespace: 'default' },
  spec: { text: 'hello' },
}

test.skipIf('missing' in programs)('an operator lives on Kubernetes with the rights that synth wrote', async () => {
  if ('missing' in programs) return
  const cluster = await startKubeCluster(programs)
  const folder = projectOf(program(ACCESS))
  await synth(folder)
  cluster.kubectl('apply', '-k', join(folder, 'deploy'))
  const operator = startOperator(folder, cluster.kubeconfig(cluster.kubectl('create', 'token', 'shop-operator')))
  writeFileSync(join(folder, 'note.json'), JSON.stringify(NOTE))
  cluster.kubectl('apply', '-f', join(folder, 'note.json'))
  await eventually(() => /^True/.test(ready(cluster.kubectl)) || hasEnded(operator))
  expect(cluster.kubectl('get', 'configmap', 'n', '-o', 'jsonpath={.data.text}')).toBe('hello')
  expect(cluster.kubectl('get', 'lease', 'notes', '-o', 'jsonpath={.spec.holderIdentity}')).not.toBe('')
  await eventually(() => cluster.kubectl('get', 'events.events.k8s.io').includes('Seen'))
  cluster.kubectl('patch', 'note', 'n', '--type=merge', '-p', '{"spec":{"text":"none"}}')
  await eventually(() => cluster.kubectl('get', 'configmap', '-o', 'name').includes('configmap/n') === false)
  cluster.kubectl('delete', 'note', 'n', '--timeout=120s')
  // The one thing that it may not do, and does without: to read and install its definition.
  const refused = operator
    .log()
    .split('\n')
    .filter((line) => /forbidden/i.test(line))
  expect(refused).toEqual([expect.stringContaining('the definition is left as it is')])
})

test.skipIf('missing' in programs)('without its access the child is refused, and the object says so', async () => {
  if ('missing' in programs) return
  const cluster = await startKubeCluster(programs)
  const folder = projectOf(program(''))
  await synth(folder)
  cluster.kubectl('apply', '-k', join(folder, 'deploy'))
  const operator = startOperator(folder, cluster.kubeconfig(cluster.kubectl('create', 'token', 'shop-operator')))
  writeFileSync(join(folder, 'note.json'), JSON.stringify(NOTE))
  cluster.kubectl('apply', '-f', join(folder, 'note.json'))
  await eventually(() => /configmaps.*forbidden/.test(ready(cluster.kubectl)) || hasEnded(operator))
})

function projectOf(main: string): string {
  const manifest = '{"name": "shop-operator", "version": "1.2.3", "type": "module"}'
  const folder = temporaryFolder({ 'package.json': manifest, 'src/main.ts': main })
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  return folder
}

async function synth(folder: string): Promise<void> {
  const child = spawnHomeostat(['synth', join(folder, 'src/main.ts')])
  let error = ''
  child.stderr?.on('data', (text) => {
    error += text
  })
  const [code] = await once(child, 'close')
  expect({ code, error }).toMatchObject({ code: 0 })
}

function startOperator(folder: string, kubeconfig: string): ChildProcess & { log(): string } {
  const flags = ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  const env = { ...process.env, KUBECONFIG: kubeconfig, NODE_TLS_REJECT_UNAUTHORIZED: '0', HOMEOSTAT_LOG_LEVEL: 'info' }
  // A file, since kubectl blocks this process.
  const file = join(folder, 'operator.log')
  const log = openSync(file, 'w')
  const child = spawn(process.execPath, [...flags, 'src/main.ts'], { cwd: folder, env, stdio: ['ignore', log, log] })
  closeSync(log)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return Object.assign(child, { log: () => readFileSync(file, 'utf8') })
}

function hasEnded(operator: ChildProcess & { log(): string }): false {
  if (operator.exitCode !== null) throw new Error(`the operator ended: ${operator.log()}`)
  return false
}

/** `STATUS MESSAGE` of the condition Ready. */
function ready(kubectl: (...args: string[]) => string): string {
  const path = '{.status.conditions[?(@.type=="Ready")]}'
  const text = kubectl('get', 'note', 'n', '-o', `jsonpath=${path}`)
  const { status = '', message = '' } = text === '' ? {} : (JSON.parse(text) as { status?: string; message?: string })
  return `${status} ${message}`
}
