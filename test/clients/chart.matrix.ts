// The chart that `synth --helm` writes, with real Helm: linted, rendered to what the Kustomize base has, installed and removed.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { startServer } from '../server-process.ts'
import { HELMS, helmProgram } from './helm.ts'

const root = join(import.meta.dirname, '../..')
const MAIN = `
import { operator, run } from '@homeostat/operator'
import { z } from 'zod'
const note = operator('ex.io/v1/Note', { spec: z.object({ text: z.string() }), children: ['v1/ConfigMap'] }, ({ child, spec }) => [
  child('v1', 'ConfigMap', { data: { text: spec.text } }),
])
run(note, { name: 'notes', leaderElection: true, health: { port: 8080, host: '0.0.0.0' } })
`

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly spec?: Readonly<Record<string, unknown>>
}

let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-chart-'))
  writeFileSync(join(folder, 'package.json'), '{"name": "notes", "version": "1.2.3", "type": "module"}')
  writeFileSync(join(folder, 'main.ts'), MAIN)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const args of [[], ['--helm']]) {
    const command = ['--conditions=homeostat-source', join(root, 'packages/cli/src/main.ts'), 'synth', ...args]
    await promisify(execFile)(process.execPath, command, { cwd: folder })
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function objectsIn(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((one) => one !== null)
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
}

function base(): Manifest[] {
  const files = readdirSync(join(folder, 'deploy')).filter((name) => name !== 'kustomization.yaml')
  return objectsIn(files.map((name) => readFileSync(join(folder, 'deploy', name), 'utf8')).join('---\n'))
}

describe.each(HELMS)('$name', ({ missing, major }) => {
  const helm = async (...args: string[]) => {
    const homes = { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') }
    const env = { ...process.env, ...homes, HELM_DATA_HOME: join(folder, 'data') }
    return (await promisify(execFile)(await helmProgram(major), args, { cwd: folder, env })).stdout
  }

  it.skipIf(missing)('lints the chart, and renders what Kustomize has', async () => {
    expect(await helm('lint', '--strict', 'chart')).toContain('0 chart(s) failed')
    const plain = objectsIn(await helm('template', 'notes', 'chart', '--include-crds', '--namespace', 'default'))
    expect(plain).toEqual(base())
    const set = [
      'image=registry.example/notes:8',
      'replicas=3',
      'nodeSelector.disk=ssd',
      'imagePullSecrets[0].name=login',
    ]
    const rendered = await helm('template', 'notes', 'chart', '-n', 'lab', ...set.flatMap((one) => ['--set', one]))
    const deployment = objectsIn(rendered).find(({ kind }) => kind === 'Deployment')
    expect(deployment).toMatchObject({
      metadata: { namespace: 'lab' },
      spec: {
        replicas: 3,
        template: {
          spec: {
            nodeSelector: { disk: 'ssd' },
            imagePullSecrets: [{ name: 'login' }],
            containers: [
              { image: 'registry.example/notes:8', resources: { requests: { cpu: '50m', memory: '128Mi' } } },
            ],
          },
        },
      },
    })
  })

  it.skipIf(missing)('installs the chart and takes it away', async () => {
    const data = join(folder, `data-${major}`)
    const server = await startServer(data)
    onTestFinished(async () => void (await server.stop()))
    const at = ['--kubeconfig', server.kubeconfig, '--namespace', 'lab']
    await helm('install', 'notes', 'chart', '--create-namespace', ...at)
    const get = async (path: string) => (await fetch(new URL(path, server.url))).status
    expect(await get('/apis/apps/v1/namespaces/lab/deployments/notes')).toBe(200)
    expect(await get('/apis/rbac.authorization.k8s.io/v1/clusterroles/notes')).toBe(200)
    expect(await get('/apis/ex.io/v1/notes')).toBe(200)
    await helm('upgrade', 'notes', 'chart', '--set', 'replicas=0', ...at)
    await helm('uninstall', 'notes', ...at)
    expect(await get('/apis/apps/v1/namespaces/lab/deployments/notes')).toBe(404)
    // Definitions stay, and with them what people made.
    expect(await get('/apis/ex.io/v1/notes')).toBe(200)
  })
})
