// What rules and policies add to a create: five typical rules of a definition, and a hundred policies that match nothing.

import { atMostTimes, type Finding } from '../finding.ts'
import { definition } from '../items/definition.ts'
import { createText } from '../items/request-text.ts'
import { type Lab, post } from '../lab.ts'
import { byCpu, interleave, measureLoad } from '../measure.ts'
import { group } from '../row.ts'
import type { Server } from '../servers/server.ts'

const RULES = [
  "self.replicas <= 500 || (has(self.strategy) && self.strategy.type == 'Recreate')",
  '!has(self.ports) || self.ports.all(p, p.port >= 80)',
  '!has(self.healthCheck) || self.healthCheck.timeoutSeconds <= self.healthCheck.intervalSeconds',
  "self.image.contains('/') || self.image.size() < 200",
  "!has(self.owner) || !has(self.owner.email) || self.owner.email.endsWith('@example.com')",
]
const POLICIES = 100
const ADMISSION = '/apis/admissionregistration.k8s.io/v1'

export const rules = group(open, [
  {
    work: 'create checked by five rules of its definition, against without',
    measure: (site, work) => compare(site, work, site.ruled, 1.3),
  },
  {
    work: 'create beside 100 policies that match nothing, against without',
    measure: (site, work) => compare(site, work, site.judged, 1.05),
  },
])

interface Site {
  readonly lab: Lab
  readonly plain: Server
  readonly ruled: Server
  readonly judged: Server
}

async function open(lab: Lab): Promise<Site> {
  const site = {
    lab,
    plain: await lab.startWithDefinition(),
    ruled: await withRules(lab),
    judged: await withPolicies(lab),
  }
  // The first write compiles the rules.
  for (const server of [site.plain, site.ruled, site.judged]) await lab.fill(server, 0, FIRST)
  return site
}

const FIRST = 1000
/** The servers number their objects alike; no number is used twice. */
let created = FIRST

async function compare({ lab, plain }: Site, work: string, server: Server, bar: number): Promise<Finding> {
  const count = lab.count(1200)
  const run = (one: Server) => () => {
    const first = created
    created += count
    return measureLoad(lab.load, one, { connections: 64, count, first, status: 201, text: createText(one.port) })
  }
  const { ours, bare } = await interleave(byCpu, run(server), run(plain))
  return atMostTimes(work, { ours: ours.cpuUs, reference: bare.cpuUs, unit: 'CPU' }, bar)
}

async function withRules(lab: Lab): Promise<Server> {
  const server = await lab.startWithDefinition()
  const { spec } = structuredClone(definition)
  const schema = spec.versions[0]?.schema.openAPIV3Schema.properties.spec
  Object.assign(schema as object, { 'x-kubernetes-validations': RULES.map((rule) => ({ rule })) })
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${definition.metadata.name}`
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec }),
  })
  if (answer.status !== 200) throw new Error(`the rules are refused: ${await answer.text()}`)
  await answer.arrayBuffer()
  return server
}

/** Half of them are for other kinds, half for these objects in other namespaces. */
async function withPolicies(lab: Lab): Promise<Server> {
  const server = await lab.startWithDefinition()
  for (let i = 0; i < POLICIES; i++) {
    const own = i % 2 === 0
    const metadata = { name: `policy-${i}` }
    const rule = own
      ? { apiGroups: ['bench.example.com'], apiVersions: ['v1'], resources: ['items'] }
      : { apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }
    const namespaceSelector = { matchLabels: { team: `t${i}` } }
    const matchConstraints = { resourceRules: [{ ...rule, operations: ['CREATE', 'UPDATE'] }], namespaceSelector }
    const validations = [{ expression: "object.metadata.name != 'no'" }]
    await post(server, `${ADMISSION}/validatingadmissionpolicies`, {
      metadata,
      spec: { matchConstraints, validations },
    })
    const spec = { policyName: metadata.name, validationActions: ['Deny'] }
    await post(server, `${ADMISSION}/validatingadmissionpolicybindings`, { metadata, spec })
  }
  return server
}
