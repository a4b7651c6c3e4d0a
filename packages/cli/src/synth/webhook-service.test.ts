import type { RunDescription } from '@homeostat/operator/host'
import { expect, test } from 'vitest'
import { deploymentManifest } from './deployment-manifest.ts'
import { warningsOf } from './warnings.ts'
import { serviceManifests } from './webhook-service.ts'

type Webhooks = NonNullable<RunDescription['webhooks']>

const run = (webhooks?: Webhooks): RunDescription => ({
  name: 'a',
  kinds: [],
  definitions: [],
  leaderElection: true,
  shards: false,
  health: { host: '0.0.0.0', port: 8080 },
  ...(webhooks && { webhooks }),
  shutdownMs: 0,
  rules: [],
})
const at = (name: string) => ({ name, namespace: 'shop', image: 'a:1' })
const EVERYWHERE = { host: '0.0.0.0', port: 9443 }
const containerOf = (...runs: RunDescription[]) =>
  (deploymentManifest(runs, at('site')) as { spec: { template: { spec: { containers: object[] } } } }).spec.template
    .spec.containers[0]

test('a Service leads to the port of the webhooks, and the program is told its name', () => {
  const runs = [run(), run(EVERYWHERE)]
  expect(serviceManifests(runs, at('site'))).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'site-webhooks', namespace: 'shop', labels: { 'app.kubernetes.io/name': 'site' } },
      spec: {
        selector: { 'app.kubernetes.io/name': 'site' },
        ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }],
      },
    },
  ])
  expect(containerOf(...runs)).toMatchObject({
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'HOMEOSTAT_OPERATOR_SERVICE', value: '$(POD_NAMESPACE)/site-webhooks' },
    ],
    ports: [
      { name: 'health', containerPort: 8080 },
      { name: 'webhooks', containerPort: 9443 },
    ],
  })
  expect(warningsOf(runs, [])).toEqual([])
})

test('a Service that the program names is the one that is made', () => {
  const service = { namespace: 'hooks', name: 'own', port: 8443 }
  const named = run({ host: '0.0.0.0', port: 1234, service })
  expect(serviceManifests([named], at('site'))).toMatchObject([
    { metadata: { name: 'own', namespace: 'hooks' }, spec: { ports: [{ port: 8443, targetPort: 'webhooks' }] } },
  ])
  expect(containerOf(named)).not.toHaveProperty('env')
  expect(containerOf(named)).toHaveProperty('ports.1.containerPort', 1234)
})

test('without webhooks, or where none can be reached, there is no Service', () => {
  expect(serviceManifests([run()], at('site'))).toEqual([])
  expect(containerOf(run())).not.toHaveProperty('env')
  const hidden = run({ host: '127.0.0.2', port: 9443 })
  expect(serviceManifests([hidden], at('site'))).toEqual([])
  expect(warningsOf([hidden], [])).toEqual([expect.stringContaining('cannot reach webhooks on 127.0.0.2:9443')])
})

test('several runs need ports and Services of their own', () => {
  const service = { namespace: 'shop', name: 'other' }
  const warned = [expect.stringContaining('several runs serve webhooks')]
  expect(warningsOf([run(EVERYWHERE), run(EVERYWHERE)], [])).toEqual(warned)
  expect(warningsOf([run(EVERYWHERE), run({ ...EVERYWHERE, service })], [])).toEqual(warned)
  const runs = [run(EVERYWHERE), run({ host: '0.0.0.0', port: 9444, service })]
  expect(warningsOf(runs, [])).toEqual([])
  expect(containerOf(...runs)).toHaveProperty('ports.2', { name: 'webhooks-2', containerPort: 9444 })
})

test.each([
  ['x'.repeat(63), `${'x'.repeat(54)}-webhooks`],
  ['3d-printer', 'o-3d-printer-webhooks'],
])('the name of the Service of %s can be one', (name, service) => {
  expect(serviceManifests([run(EVERYWHERE)], at(name))).toMatchObject([{ metadata: { name: service } }])
})
