import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiManifest } from '@homeostat/testing'
import { testEnv } from '@homeostat/testing'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { NOTE, projectFolder } from '../synth/project.fixture.ts'
import { fakeTerminal, runOn } from '../terminal.fixture.ts'

const MAIN = `
import { run } from '@homeostat/operator'
import { note } from './note.ts'
run(note, { name: 'notes', leaderElection: true, health: { port: 8080, host: '0.0.0.0' } })
`

const project = (main = MAIN, more: Readonly<Record<string, string>> = {}) =>
  projectFolder({ 'src/main.ts': main, 'src/note.ts': NOTE, ...more })

const synth = (folder: string, ...args: string[]) =>
  runOn(fakeTerminal({ env: process.env }), ['synth', join(folder, 'src/main.ts'), ...args])

const deployed = (folder: string, file: string) => readFileSync(join(folder, 'deploy', file), 'utf8')

function objectsIn(text: string): ApiManifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as ApiManifest)
}

test('writes a Kustomize base, and says that it is up to date the next time', async () => {
  const folder = project()
  const first = await synth(folder)
  expect(first).toMatchObject({ code: 0, error: '' })
  const files = readdirSync(join(folder, 'deploy')).sort()
  expect(files).toEqual([
    'deployment.yaml',
    'kustomization.yaml',
    'notes.ex.io.yaml',
    'rbac.yaml',
    'service-account.yaml',
  ])
  const [kustomization] = objectsIn(deployed(folder, 'kustomization.yaml'))
  expect(kustomization?.resources).toEqual(['notes.ex.io.yaml', 'service-account.yaml', 'rbac.yaml', 'deployment.yaml'])
  const texts = files.map((file) => deployed(folder, file))
  const second = await synth(folder)
  expect(second.out).toMatch(/is up to date/)
  expect(files.map((file) => deployed(folder, file))).toEqual(texts)
  expect(await synth(folder, '--check')).toMatchObject({ code: 0, out: '', error: '' })
})

test('the roles say what each rule is for, and have no wildcard', async () => {
  const folder = project()
  await synth(folder)
  const text = deployed(folder, 'rbac.yaml')
  expect(text).not.toContain('*')
  expect(text.split('---\n')[0]).toBe(`# Written by \`homeostat synth\`. Change the program, or patch it in an overlay.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: shop-operator
  labels:
    app.kubernetes.io/name: shop-operator
rules:
  # Note itself, with its finalizer
  - apiGroups:
      - ex.io
    resources:
      - notes
    verbs:
      - get
      - list
      - watch
      - patch
  # the status of Note
  - apiGroups:
      - ex.io
    resources:
      - notes/status
    verbs:
      - patch
  # Note as the owner of its children
  - apiGroups:
      - ex.io
    resources:
      - notes/finalizers
    verbs:
      - update
  # ConfigMap, a child of Note
  - apiGroups:
      - ""
    resources:
      - configmaps
    verbs:
      - get
      - list
      - watch
      - create
      - patch
      - delete
  # Events
  - apiGroups:
      - events.k8s.io
    resources:
      - events
    verbs:
      - create
      - patch
`)
  const names = objectsIn(text).map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`.trim())
  expect(names).toEqual(['ClusterRole', 'ClusterRoleBinding', 'Role default', 'RoleBinding default'])
})

test('the Deployment has probes, two replicas for a leader, and keeps to the restricted standard', async () => {
  const folder = project()
  await synth(folder, '--image', 'registry.example/notes:7')
  expect(objectsIn(deployed(folder, 'deployment.yaml'))).toMatchObject([
    {
      metadata: { name: 'shop-operator', namespace: 'default' },
      spec: {
        replicas: 2,
        template: {
          spec: {
            serviceAccountName: 'shop-operator',
            terminationGracePeriodSeconds: 30,
            securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                image: 'registry.example/notes:7',
                ports: [{ name: 'health', containerPort: 8080 }],
                livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
                readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
                resources: { requests: { cpu: '50m', memory: '128Mi' } },
                securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              },
            ],
          },
        },
      },
    },
  ])
})

test('an operator of one namespace gets a Role there and nothing else; without a leader one Pod replaces the other', async () => {
  const main = MAIN.replace('leaderElection: true', "namespace: 'shop'").replace("'0.0.0.0'", "'127.0.0.1'")
  const { out, error } = await synth(project(main), '--stdout')
  const objects = objectsIn(out)
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`.trim())).toEqual([
    'CustomResourceDefinition',
    'ServiceAccount shop',
    'Role shop',
    'RoleBinding shop',
    'Deployment shop',
  ])
  expect(objects.at(-1)).toMatchObject({
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      template: { spec: { containers: [{ image: 'shop-operator:1.2.3' }] } },
    },
  })
  expect(error).toMatch(/Warning: the kubelet cannot probe health on 127\.0\.0\.1:8080/)
  expect(out).not.toMatch(/Probe|containerPort/)
})

test('a control plane accepts all of it', async () => {
  const { out } = await synth(project(), '--stdout', '--namespace', 'shop-system')
  await using env = await testEnv()
  const objects = objectsIn(out)
  expect(objects[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'shop-system' } })
  await env.apply(...objects)
})

test('--check fails with the difference, writes nothing, and finds stale files', async () => {
  const folder = project()
  expect((await synth(folder, '--check')).out).toMatch(/rbac\.yaml is missing/)
  await synth(folder)
  writeFileSync(join(folder, 'src/main.ts'), MAIN.replace('8080', '9090'))
  const text = deployed(folder, 'deployment.yaml')
  const stale = deployed(folder, 'rbac.yaml').replace('kind: ClusterRole', 'kind: Old')
  writeFileSync(join(folder, 'deploy/olds.ex.io.yaml'), stale)
  writeFileSync(join(folder, 'deploy/mine.yaml'), 'kind: Mine\n')
  const checked = await synth(folder, '--check')
  expect(checked.code).toBe(1)
  expect(checked.out).toMatch(/deployment\.yaml\n/)
  expect(checked.out).toMatch(/\n- +containerPort: 8080\n\+ +containerPort: 9090\n/)
  expect(checked.out).toMatch(/olds\.ex\.io\.yaml is stale\n/)
  expect(checked.out).not.toMatch(/mine/)
  expect(checked.error).toMatch(/run `homeostat synth`/)
  expect(deployed(folder, 'deployment.yaml')).toBe(text)
  expect((await synth(folder)).out).toMatch(/updated .*deployment\.yaml\ndeleted .*olds\.ex\.io\.yaml\n/)
  expect(readdirSync(join(folder, 'deploy'))).toContain('mine.yaml')
  expect((await synth(folder, '--check')).code).toBe(0)
})

test('a file that somebody else wrote is not replaced', async () => {
  const folder = project(MAIN, { 'deploy/rbac.yaml': 'kind: Role\n' })
  const { code, error } = await synth(folder)
  expect({ code, error }).toMatchObject({
    code: 1,
    error: expect.stringMatching(/rbac\.yaml was not written by synth/),
  })
  expect(deployed(folder, 'rbac.yaml')).toBe('kind: Role\n')
})

test('what was recorded and is not declared is a warning with the line to add', async () => {
  const folder = project()
  mkdirSync(join(folder, '.homeostat'))
  const recorded = (verb: string, resource: string) =>
    JSON.stringify({ kinds: ['ex.io/Note'], verb, group: '', resource })
  const lines = [recorded('get', 'configmaps'), recorded('list', 'secrets'), recorded('watch', 'secrets')]
  writeFileSync(join(folder, '.homeostat/access.jsonl'), lines.join('\n'))
  const { code, error } = await synth(folder)
  expect(code).toBe(0)
  expect(error).toBe(
    'Warning: the operator asked for what its roles do not allow; add kinds of children to children, and the rest to access:\n' +
      "  { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] },\n",
  )
})

test('a program that serves no health has no probes, and a warning', async () => {
  const { error, out } = await synth(project(MAIN.replace(/, health: \{.*?\}/, '')), '--stdout')
  expect(error).toMatch(/no probes, since no health is served: run\(\.\.\., \{ health/)
  expect(out).not.toMatch(/Probe/)
})

test('writes a Helm chart, and removes of it what it no longer needs', async () => {
  const folder = project()
  const { code, out } = await synth(folder, '--helm')
  expect([code, out.match(/^created .*chart\/(.*)$/gm)?.length]).toEqual([0, 6])
  const chart = (path: string) => join(folder, 'chart', path)
  writeFileSync(chart('crds/olds.ex.io.yaml'), readFileSync(chart('crds/notes.ex.io.yaml')))
  writeFileSync(chart('templates/notes.yaml'), '# mine\n')
  const second = await synth(folder, '--helm')
  expect(second.out).toMatch(/^deleted .*crds\/olds\.ex\.io\.yaml\n$/)
  expect((await synth(folder, '--helm', '--check')).code).toBe(0)
  expect(readdirSync(chart('templates'))).toContain('notes.yaml')
  expect((await synth(folder, '--helm', '--stdout')).code).toBe(1)
  expect((await synth(folder, '--helm', '--namespace', 'x')).error).toContain('helm install --namespace')
})

test('an operator that answers for its kind has a Service, which it is told', async () => {
  const validates = NOTE.replace(
    /,\n\)\s*$/,
    ",\n  { validate: ({ spec }) => (spec.text === '' ? 'spec.text is empty' : undefined) },\n)\n",
  )
  expect(validates).not.toBe(NOTE)
  const folder = project(MAIN, { 'src/note.ts': validates })
  expect(await synth(folder)).toMatchObject({ code: 0, error: '' })
  const [service] = objectsIn(deployed(folder, 'service.yaml'))
  expect(service).toMatchObject({ kind: 'Service', metadata: { name: 'shop-operator-webhooks', namespace: 'default' } })
  expect(deployed(folder, 'deployment.yaml')).toContain('value: $(POD_NAMESPACE)/shop-operator-webhooks\n')
  expect(deployed(folder, 'kustomization.yaml')).toContain('  - service.yaml\n')
})
