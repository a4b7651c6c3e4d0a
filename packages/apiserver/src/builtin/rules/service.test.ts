import { describe, expect, it } from 'vitest'
import { type Body, changed, creating, updating } from './rules.fixture.ts'

const service: Body = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's' },
  spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.9' },
}
const balanced = { 'spec.type': 'LoadBalancer', 'spec.healthCheckNodePort': undefined }

it.each<[Record<string, unknown>, object]>([
  [
    {},
    {
      clusterIP: '10.0.0.9',
      clusterIPs: ['10.0.0.9'],
      internalTrafficPolicy: 'Cluster',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
      sessionAffinity: 'None',
      type: 'ClusterIP',
    },
  ],
  [{ 'spec.type': 'NodePort' }, { externalTrafficPolicy: 'Cluster' }],
  [balanced, { allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' }],
  [{ 'spec.sessionAffinity': 'ClientIP' }, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } }],
  [
    { 'spec.clusterIP': 'None', 'spec.selector': { a: 'b' } },
    { clusterIPs: ['None'], ipFamilyPolicy: 'SingleStack' },
  ],
  [{ 'spec.clusterIP': 'None' }, { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }],
])('with %j is completed', (changes, completed) => {
  const { causes, object } = creating(changed(service, changes))
  expect(causes).toEqual([])
  expect(object.spec).toMatchObject(completed)
  expect(object.status).toEqual({ loadBalancer: {} })
})

it('that is only another name has no address and no policies', () => {
  const { causes, object } = creating({
    ...service,
    spec: { type: 'ExternalName', externalName: 'example.com' },
  })
  expect(causes).toEqual([])
  expect(object.spec).toEqual({ type: 'ExternalName', externalName: 'example.com', sessionAffinity: 'None' })
})

describe('is refused', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ 'spec.ports': undefined }, ['Required spec.ports']],
    [{ 'spec.ports.0.port': 0 }, ['Invalid spec.ports[0].port', 'Invalid spec.ports[0].targetPort']],
    [{ 'spec.ports.0.targetPort': 'a_b' }, ['Invalid spec.ports[0].targetPort']],
    [{ 'spec.ports.0.protocol': 'ICMP' }, ['NotSupported spec.ports[0].protocol']],
    [{ 'spec.ports.0.nodePort': 30000 }, ['Forbidden spec.ports[0].nodePort']],
    [{ 'spec.ports.1': { port: 81 } }, ['Required spec.ports[0].name', 'Required spec.ports[1].name']],
    [
      {
        'spec.ports': [
          { name: 'a', port: 80 },
          { name: 'a', port: 80 },
        ],
      },
      ['Duplicate spec.ports[1]', 'Duplicate spec.ports[1].name'],
    ],
    [{ 'spec.type': 'Other' }, ['NotSupported spec.type']],
    [{ 'spec.sessionAffinity': 'Other' }, ['NotSupported spec.sessionAffinity']],
    [{ 'spec.selector': { 'a b': 'c' } }, ['Invalid spec.selector']],
    [{ 'spec.externalIPs': ['127.0.0.1'] }, ['Invalid spec.externalIPs[0]']],
    [{ 'spec.externalTrafficPolicy': 'Local' }, ['Invalid spec.externalTrafficPolicy']],
    [{ 'spec.clusterIPs': ['10.0.0.8'] }, ['Invalid spec.clusterIPs']],
    [{ 'spec.clusterIP': 'here' }, ['Invalid spec.clusterIPs[0]']],
    [{ 'spec.ipFamilies': ['IPv6'] }, ['Invalid spec.clusterIPs[0]', 'Invalid spec.ipFamilies[0]']],
    [{ 'spec.ipFamilyPolicy': 'RequireDualStack' }, ['Invalid spec.ipFamilyPolicy']],
    [{ 'spec.loadBalancerSourceRanges': ['10.0.0.0/8'] }, ['Forbidden spec.LoadBalancerSourceRanges']],
    [{ ...balanced, 'spec.loadBalancerSourceRanges': ['all'] }, ['Invalid spec.LoadBalancerSourceRanges[0]']],
    [{ metadata: { name: '1a' } }, ['Invalid metadata.name']],
    [{ spec: { type: 'ExternalName' } }, ['Required spec.externalName']],
    [{ 'spec.type': 'NodePort', 'spec.clusterIP': 'None' }, ['Invalid spec.clusterIPs[0]']],
  ])('with %j', (changes, causes) => {
    expect(creating(changed(service, changes)).causes).toEqual(causes)
  })
})

describe('a change', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ 'spec.ports.0.port': 81 }, []],
    [{ 'spec.clusterIP': '10.0.0.8', 'spec.clusterIPs': ['10.0.0.8'] }, ['Invalid spec.clusterIPs[0]']],
    [{ 'spec.clusterIP': '10.0.0.8' }, ['Invalid spec.clusterIPs[0]']],
  ])('%j', (changes, causes) => {
    expect(updating(service, changes).causes).toEqual(causes)
  })

  it('that leaves out what the service was given keeps it', () => {
    const exposed = changed(service, { 'spec.type': 'NodePort', 'spec.ports.0.nodePort': 30100 })
    const { causes, object } = updating(exposed, { spec: { type: 'NodePort', ports: [{ port: 81 }] } })
    expect(causes).toEqual([])
    expect(object.spec).toMatchObject({ clusterIP: '10.0.0.9', ports: [{ port: 81, nodePort: 30100 }] })
  })

  it('to a type that needs less drops what it was given', () => {
    const exposed = changed(service, { 'spec.type': 'NodePort', 'spec.ports.0.nodePort': 30100 })
    const { causes, object } = updating(exposed, { 'spec.type': 'ClusterIP' })
    expect(causes).toEqual([])
    expect(object.spec).not.toHaveProperty('externalTrafficPolicy')
    expect(object.spec).not.toHaveProperty('ports.0.nodePort')
    const name = updating(service, { 'spec.type': 'ExternalName', 'spec.externalName': 'example.com' })
    expect(name.causes).toEqual([])
    expect(name.object.spec).not.toHaveProperty('clusterIP')
  })
})
