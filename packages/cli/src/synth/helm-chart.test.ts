import type { RunDescription } from '@homeostat/operator/host'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { chartFiles } from './helm-chart.ts'

const run = (more: Partial<RunDescription> = {}): RunDescription => ({
  name: 'a',
  kinds: [],
  definitions: [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'X', metadata: { name: 'xs.ex.io' } } as never],
  leaderElection: true,
  shards: false,
  shutdownMs: 0,
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'], why: 'a {{ word }} of the author' } as never],
  ...more,
})
const files = (more: Partial<RunDescription> = {}, version = '1.2.3') =>
  chartFiles([run(more)], { name: 'a', version, image: 'registry.example/a:1' })
const text = (path: string, more?: Partial<RunDescription>) => files(more).get(path) ?? ''

test('what an installation changes are values', () => {
  const values = parseDocument(text('values.yaml')).toJS()
  expect(values).toMatchObject({ image: 'registry.example/a:1', replicas: 2, nodeSelector: {}, imagePullSecrets: [] })
  const deployment = text('templates/deployment.yaml')
  expect(deployment).toContain('  replicas: {{ .Values.replicas }}\n')
  expect(deployment).toContain('image: {{ .Values.image }}\n')
  expect(deployment).toContain('{{- toYaml .Values.resources | nindent 12 }}')
  expect(deployment).toContain(
    '      {{- with .Values.nodeSelector }}\n      nodeSelector:\n        {{- toYaml . | nindent 8 }}\n      {{- end }}\n',
  )
  expect(deployment).not.toContain('helm-value')
})

test('it runs where it is released; roles in named namespaces stay there', () => {
  expect(text('templates/deployment.yaml')).toContain('  namespace: {{ .Release.Namespace }}\n')
  const rbac = text('templates/rbac.yaml', { namespaces: ['shop'] })
  expect(rbac).toContain('  namespace: shop\n')
  expect(rbac).toContain('    namespace: {{ .Release.Namespace }}\n')
  expect(rbac).not.toContain('namespace-of-the-helm-release')
})

test('webhooks have a Service in the namespace of the release', () => {
  const webhooks = { host: '0.0.0.0', port: 9443 }
  expect(files().has('templates/service.yaml')).toBe(false)
  expect(text('templates/service.yaml', { webhooks })).toContain(
    'metadata:\n  name: a-webhooks\n  namespace: {{ .Release.Namespace }}\n',
  )
  expect(text('templates/deployment.yaml', { webhooks })).toContain('value: $(POD_NAMESPACE)/a-webhooks\n')
})

test('braces of the author are texts', () => {
  expect(text('templates/rbac.yaml')).toContain('# a {{ "{{" }} word }} of the author')
})

test.each([
  ['1.2.3', '1.2.3'],
  ['1.2.3-rc.1', '1.2.3-rc.1'],
  ['7', '0.0.0'],
])('the version %s is %s of the chart', (version, expected) => {
  expect(parseDocument(files({}, version).get('Chart.yaml') ?? '').toJS()).toMatchObject({
    version: expected,
    appVersion: version,
  })
})
