import { afterAll, describe, expect, it } from 'vitest'
import { serve } from './server.ts'
import { story } from './watching.ts'

const server = await serve()
afterAll(() => server.close())

const CORE = '/api/v1/namespaces/default'
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const AUTOSCALERS = (version: string) => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx' }] },
})
const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod(name).spec },
  },
})

describe('events', () => {
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'new' },
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'Started',
    note: 'it runs',
    type: 'Normal',
    action: 'Start',
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/ctl',
    reportingInstance: 'one',
  }

  it('are the same objects in both of their APIs', async () => {
    const core = await server.watch(`${CORE}/events?watch=true&fieldSelector=involvedObject.name=p`)
    const events = await server.watch(`${EVENTS}?watch=true&fieldSelector=regarding.name=p`)
    expect((await server.post(EVENTS, event)).body).toMatchObject(event)
    expect((await server.get(`${CORE}/events/new`)).body).toMatchObject({
      apiVersion: 'v1',
      involvedObject: event.regarding,
      message: 'it runs',
      reportingComponent: 'example.com/ctl',
      source: {},
      firstTimestamp: null,
    })
    expect((await server.patch(`${CORE}/events/new`, { message: 'it ran' })).status).toBe(200)
    const { body } = await server.get(EVENTS)
    expect(body.items).toMatchObject([{ note: 'it ran' }])
    expect((await server.delete(`${EVENTS}/new`)).status).toBe(200)
    for (const watch of [core, events]) {
      expect(story(await watch.until(({ type }) => type === 'DELETED'))).toBe('ADDED new, MODIFIED new, DELETED new')
      watch.close()
    }
  })

  it('of the newer API are checked more strictly', async () => {
    const { status, body } = await server.post(EVENTS, { ...event, deprecatedCount: 1, type: 'Odd' })
    expect(status).toBe(422)
    expect(body.details.causes.map(({ field }) => field)).toEqual(['type', 'count'])
  })

  it('have one table', async () => {
    await server.post(EVENTS, event)
    const cells = async (path: string) => JSON.stringify((await server.get(path, TABLE)).body.rows)
    expect(await cells(EVENTS)).toEqual(await cells(`${CORE}/events`))
    expect(await cells(EVENTS)).toContain('pod/p')
  })
})

describe('autoscalers', () => {
  it('can be written in one version and read in the other', async () => {
    const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3 }
    const v1 = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' } }
    const made = await server.post(AUTOSCALERS('v1'), { ...v1, spec: { ...spec, targetCPUUtilizationPercentage: 60 } })
    expect(made.body).toMatchObject({ apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 60 } })
    const target = { type: 'Utilization', averageUtilization: 60 }
    const { body } = await server.get(`${AUTOSCALERS('v2')}/a`)
    expect(body).toMatchObject({
      apiVersion: 'autoscaling/v2',
      spec: { metrics: [{ resource: { name: 'cpu', target } }] },
    })
    await server.patch(`${AUTOSCALERS('v1')}/a`, { spec: { targetCPUUtilizationPercentage: 50 } })
    const changed = await server.get(`${AUTOSCALERS('v2')}/a`)
    expect(changed.body.spec).toMatchObject({ metrics: [{ resource: { target: { averageUtilization: 50 } } }] })
  })
})

describe('workloads', () => {
  it('are scaled, and say what they select', async () => {
    await server.post(DEPLOYMENTS, deployment('web'))
    expect((await server.get(`${DEPLOYMENTS}/web/scale`)).body).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=web' },
    })
    await server.patch(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 5 } })
    const { body } = await server.get(`${DEPLOYMENTS}/web`)
    expect(body).toMatchObject({ spec: { replicas: 5 }, metadata: { generation: 2 } })
  })

  it('say what they do not know, and refuse what cannot be decoded', async () => {
    const odd = { ...deployment('odd'), spec: { ...deployment('odd').spec, replikas: 3 } }
    const { status, headers } = await server.post(DEPLOYMENTS, odd)
    expect(status).toBe(201)
    expect(headers.get('warning')).toContain('unknown field \\"spec.replikas\\"')
    const wrong = { ...deployment('wrong'), spec: { ...deployment('wrong').spec, replicas: 'three' } }
    expect((await server.post(DEPLOYMENTS, wrong)).body).toMatchObject({ code: 400, reason: 'BadRequest' })
  })
})

describe('pods', () => {
  it('are bound to a node once', async () => {
    await server.post(`${CORE}/pods`, pod('bound'))
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'bound' },
      target: { kind: 'Node', name: 'n' },
    }
    expect((await server.post(`${CORE}/pods/bound/binding`, binding)).status).toBe(201)
    const { body } = await server.get(`${CORE}/pods?fieldSelector=spec.nodeName=n`)
    expect(body.items).toMatchObject([{ metadata: { generation: 1 }, spec: { nodeName: 'n' } }])
    expect((await server.post(`${CORE}/pods/bound/binding`, binding)).status).toBe(409)
  })

  it('are evicted as their budgets allow', async () => {
    const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
    await server.post(`${CORE}/pods`, { ...pod('busy'), metadata: { name: 'busy', labels: { app: 'busy' } } })
    await server.patch(`${CORE}/pods/busy/status`, { status: { phase: 'Running' } })
    const selector = { matchLabels: { app: 'busy' } }
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'b' },
      spec: { minAvailable: 1, selector },
    }
    await server.post(budgets, budget)
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'busy' } }
    expect((await server.post(`${CORE}/pods/busy/eviction`, eviction)).status).toBe(429)
    const dry = { ...eviction, deleteOptions: { dryRun: ['All'] } }
    expect((await server.post(`${CORE}/pods/busy/eviction`, dry)).status).toBe(429)
    await server.patch(`${budgets}/b/status`, { status: { observedGeneration: 1, disruptionsAllowed: 1 } })
    expect((await server.post(`${CORE}/pods/busy/eviction`, dry)).status).toBe(201)
    expect((await server.get(`${CORE}/pods/busy`)).status).toBe(200)
    expect((await server.post(`${CORE}/pods/busy/eviction`, eviction)).status).toBe(201)
    await server.gone(`${CORE}/pods/busy`)
    expect((await server.get(`${budgets}/b`)).body.status).toMatchObject({ disruptionsAllowed: 0 })
  })

  it('get ephemeral containers on a way of their own, and keep them', async () => {
    await server.post(`${CORE}/pods`, pod('debugged'))
    const path = `${CORE}/pods/debugged/ephemeralcontainers`
    const added = await server.patch(path, {
      spec: { ephemeralContainers: [{ name: 'd', image: 'x' }], nodeName: 'no' },
    })
    expect(added.status).toBe(200)
    expect(added.body.spec.nodeName).toBeUndefined()
    const removed = await server.patch(path, { spec: { ephemeralContainers: [] } })
    expect(removed.body).toMatchObject({ code: 422, details: { causes: [{ field: 'spec.ephemeralContainers' }] } })
  })

  it('are resized in their resources alone', async () => {
    await server.post(`${CORE}/pods`, pod('small'))
    const containers = [{ name: 'c', image: 'other', resources: { requests: { cpu: '500m' } } }]
    const { body } = await server.patch(`${CORE}/pods/small/resize`, { spec: { containers } })
    expect(body.spec).toMatchObject({ containers: [{ image: 'nginx', resources: { requests: { cpu: '500m' } } }] })
  })
})

describe('certificate signing requests', () => {
  it('are approved on a way of their own', async () => {
    const types = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
    const pem = '-----BEGIN CERTIFICATE REQUEST-----\nMA==\n-----END CERTIFICATE REQUEST-----\n'
    const spec = { request: Buffer.from(pem).toString('base64'), signerName: 'example.com/s', usages: ['client auth'] }
    const made = await server.post(types, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'r' },
      spec,
    })
    expect(made.status).toBe(201)
    const conditions = [{ type: 'Approved', status: 'True', reason: 'x' }]
    const { body } = await server.patch(`${types}/r/approval`, { status: { conditions, certificate: 'LS0t' } })
    expect(body.status).toMatchObject({ conditions })
    expect(body.status).not.toHaveProperty('certificate')
  })
})

it('there is an APIService for each group and version, which only the server writes', async () => {
  const services = '/apis/apiregistration.k8s.io/v1/apiservices'
  const local = await server.until(`${services}/v2.autoscaling`, ({ status }) => status !== undefined)
  expect(local).toMatchObject({
    spec: { group: 'autoscaling', version: 'v2', groupPriorityMinimum: 17500, versionPriority: 30 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  })
  expect((await server.delete(`${services}/v2.autoscaling`)).status).toBe(405)
})

it('what a kind stores is in the form Kubernetes would answer with', async () => {
  const { body } = await server.post(`${CORE}/resourcequotas`, {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q' },
    spec: { hard: { 'requests.cpu': '1000m', pods: 10 }, scopes: [] },
  })
  expect(body.spec).toEqual({ hard: { 'requests.cpu': '1', pods: '10' } })
  expect(body.status).toEqual({})
})

it('scales a ReplicationController, the one target without a group', async () => {
  const scaler = (kind: string) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: kind.toLowerCase() },
    spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'v1', kind, name: 'x' } },
  })
  expect((await server.post(AUTOSCALERS('v2'), scaler('ReplicationController'))).status).toBe(201)
  expect((await server.post(AUTOSCALERS('v2'), scaler('Deployment'))).body).toMatchObject({
    details: { causes: [{ field: 'spec.scaleTargetRef.apiVersion' }] },
  })
})

it('has the range of service addresses, component statuses and claims of devices as data', async () => {
  const range = '/apis/networking.k8s.io/v1/servicecidrs/kubernetes'
  const watch = await server.watch('/apis/networking.k8s.io/v1/servicecidrs')
  await watch.until(({ object }) => JSON.stringify(object.status ?? {}).includes('"Ready"'))
  expect((await server.get(range)).body.spec).toEqual({ cidrs: ['10.0.0.0/24'] })
  const statuses = await server.get('/api/v1/componentstatuses')
  expect(statuses.body).toMatchObject({ kind: 'ComponentStatusList', items: [] })
  expect(statuses.headers.get('warning')).toContain('v1 ComponentStatus is deprecated in v1.19+')
  const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims'
  await server.post(claims, {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'gpu' },
    spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu.example.com' } }] } },
  })
  expect((await server.get(claims, TABLE)).body.rows).toMatchObject([{ cells: ['gpu', 'pending', expect.any(String)] }])
})
