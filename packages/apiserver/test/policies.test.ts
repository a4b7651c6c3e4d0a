// ValidatingAdmissionPolicies through HTTP: what they refuse, warn of and note, with what they know of a write.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { AuditStep } from '../src/registry/admission-step.ts'
import { serve, type TestServer } from './server.ts'

const GROUP = '/apis/admissionregistration.k8s.io/v1'
const POLICIES = `${GROUP}/validatingadmissionpolicies`
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings`
const MAPS = '/api/v1/namespaces/default/configmaps'

let server: TestServer
const noted: ReadonlyMap<string, string>[] = []
beforeAll(async () => {
  const audit: AuditStep = {
    name: 'test',
    at: 'audit',
    run: (write) => {
      const { annotations } = write as unknown as { annotations: ReadonlyMap<string, string> }
      if (annotations.size > 0) noted.push(new Map(annotations))
    },
  }
  server = await serve({ admission: [audit] })
  await server.post('/api/v1/namespaces', { metadata: { name: 'other', labels: { team: 'other' } } })
})
afterAll(() => server.close())

const MAP_RULE = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }
let count = 0

interface Given {
  readonly validations?: object[]
  readonly binding?: object
  readonly spec?: object
}

/** A policy with a binding, gone at the end of the test. */
async function policy({ validations = [], binding = {}, spec = {} }: Given): Promise<string> {
  const name = `p${++count}`
  const made = await server.post(POLICIES, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [MAP_RULE] }, validations, ...spec },
  })
  expect([made.status, made.body.message]).toEqual([201, undefined])
  const bound = await server.post(BINDINGS, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  })
  expect([bound.status, bound.body.message]).toEqual([201, undefined])
  onTestFinished(async () => {
    await server.delete(`${BINDINGS}/${name}`)
    await server.delete(`${POLICIES}/${name}`)
  })
  return name
}

const create = (name: string, more: object = {}, at = MAPS) =>
  server.post(`${at}?dryRun=All`, { metadata: { name }, ...more })
const check = (expression: string, more: object = {}) => ({ expression, ...more })

describe('a validation that does not hold', () => {
  it('refuses the write in the words of Kubernetes', async () => {
    const name = await policy({
      validations: [check("object.metadata.name != 'no'", { message: 'not that', reason: 'Forbidden' })],
    })
    expect((await create('yes')).status).toBe(201)
    const refused = await create('no')
    const text = `ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: not that`
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `configmaps "no" is forbidden: ${text}`,
        reason: 'Forbidden',
        details: { name: 'no', kind: 'configmaps', causes: [{ message: text }] },
        code: 403,
      },
    ])
  })

  it.each<[string, object, string]>([
    ['names the expression', {}, 'failed expression: false'],
    ['has a message that is made', { messageExpression: "'is ' + object.metadata.name" }, 'is x'],
    ['falls back to the message', { messageExpression: "object.nope + ''", message: 'plain' }, 'plain'],
  ])('%s', async (_, more, message) => {
    await policy({ validations: [check('false', more)] })
    const refused = await create('x')
    expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
      422,
      'Invalid',
      expect.stringMatching(`denied request: ${message}$`),
    ])
  })

  it('warns where the binding says so', async () => {
    const name = await policy({
      validations: [check('false', { message: 'careful' })],
      binding: { validationActions: ['Warn', 'Audit'] },
    })
    noted.length = 0
    const answer = await create('x')
    expect([answer.status, answer.headers.get('warning')]).toEqual([
      201,
      `299 - "Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${name}': careful"`,
    ])
    expect(JSON.parse(noted[0]?.get('validation.policy.admission.k8s.io/validation_failure') ?? '')).toEqual([
      { message: 'careful', policy: name, binding: name, expressionIndex: 0, validationActions: ['Warn', 'Audit'] },
    ])
  })
})

describe('expressions know', () => {
  it.each<[string, string]>([
    ['the object', "object.data.a == '1'"],
    ['that there was none before', 'oldObject == null'],
    ['the request', "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && request.dryRun"],
    ['who asks', "request.userInfo.username == 'system:admin' && 'system:masters' in request.userInfo.groups"],
    ['the namespace', "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'"],
    ['rights', "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()"],
    ['rights to the resource', "authorizer.requestResource.check('delete').allowed()"],
    ['variables of the policy', 'variables.twice == 2 && variables.once == 1'],
  ])('%s', async (_, expression) => {
    const variables = [
      { name: 'once', expression: 'int(object.data.a)' },
      { name: 'twice', expression: 'variables.once * 2' },
    ]
    await policy({ validations: [check(expression)], spec: { variables } })
    const answer = await create('x', { data: { a: '1' } })
    expect([answer.status, answer.body.message]).toEqual([201, undefined])
    await policy({ validations: [check(`!(${expression})`)], spec: { variables } })
    expect((await create('x', { data: { a: '1' } })).status).toBe(422)
  })

  it('the object before, and that a DELETE leaves none', async () => {
    await server.post(MAPS, { metadata: { name: 'kept' }, data: { a: '1' } })
    await policy({
      validations: [
        check("object == null ? oldObject.data.a != '1' : oldObject.data.a != object.data.b", { message: 'kept' }),
      ],
    })
    expect((await server.patch(`${MAPS}/kept`, { data: { b: '1' } })).status).toBe(422)
    expect((await server.patch(`${MAPS}/kept`, { data: { b: '2' } })).status).toBe(200)
    expect((await server.delete(`${MAPS}/kept`)).body.message).toContain('denied request: kept')
  })
})

describe('an expression that fails', () => {
  it('refuses the write, unless the policy ignores failures', async () => {
    await policy({ validations: [check('object.data.nope > 1')] })
    const refused = await create('x')
    expect(refused.body.message).toContain("expression 'object.data.nope > 1' resulted in error: no such key")
  })

  it('is passed over with failurePolicy Ignore', async () => {
    await policy({ validations: [check('object.data.nope > 1')], spec: { failurePolicy: 'Ignore' } })
    expect((await create('x')).status).toBe(201)
  })

  it('is stopped when it costs too much', async () => {
    await policy({
      validations: [
        check(
          '[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a+b+c+d+e+f > 0))))))',
        ),
      ],
    })
    expect((await create('x')).body.message).toContain('actual cost limit exceeded')
  })
})

it('conditions say whether a policy has anything to do', async () => {
  const conditions = [{ name: 'named', expression: "object.metadata.name.startsWith('a')" }]
  await policy({ validations: [check('false')], spec: { matchConditions: conditions } })
  expect([(await create('b')).status, (await create('a')).status]).toEqual([201, 422])
})

it('bindings narrow a policy', async () => {
  const namespaceSelector = { matchLabels: { team: 'other' } }
  await policy({ validations: [check('false')], binding: { matchResources: { namespaceSelector } } })
  expect((await create('a')).status).toBe(201)
  expect((await create('a', {}, '/api/v1/namespaces/other/configmaps')).status).toBe(422)
})

it('a policy without bindings does nothing', async () => {
  const name = await policy({ validations: [check('false')] })
  expect((await create('a')).status).toBe(422)
  await server.delete(`${BINDINGS}/${name}`)
  expect((await create('a')).status).toBe(201)
})

it('a changed policy is enforced with the answer to its write', async () => {
  const name = await policy({ validations: [check('true')] })
  for (const [expression, status] of [
    ['false', 422],
    ['true', 201],
    ['false', 422],
  ] as const) {
    await server.patch(`${POLICIES}/${name}`, { spec: { validations: [{ expression }] } })
    expect((await create('a')).status).toBe(status)
  }
})

describe('parameters', () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' }
  const spec = { paramKind, matchConstraints: { resourceRules: [{ ...MAP_RULE, resources: ['secrets'] }] } }
  const SECRETS = '/api/v1/namespaces/default/secrets'
  const validations = [check('int(params.data.most) > size(object.metadata.name)')]
  const secret = (name: string) => create(name, {}, SECRETS)

  it('are found by name in the namespace of the write, and may change', async () => {
    await policy({ validations, spec, binding: { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } } })
    expect((await secret('ab')).body.message).toContain(
      'failed to configure binding: no params found for policy binding',
    )
    await server.post(MAPS, { metadata: { name: 'limit' }, data: { most: '3' } })
    expect([(await secret('ab')).status, (await secret('abc')).status]).toEqual([201, 422])
    await server.patch(`${MAPS}/limit`, { data: { most: '9' } })
    expect((await secret('abc')).status).toBe(201)
    await server.delete(`${MAPS}/limit`)
  })

  it('are found by labels, and each is asked', async () => {
    const selector = { matchLabels: { limits: 'yes' } }
    await policy({
      validations,
      spec,
      binding: { paramRef: { selector, namespace: 'other', parameterNotFoundAction: 'Allow' } },
    })
    expect((await secret('abcdef')).status).toBe(201)
    for (const [name, most] of [
      ['l1', '9'],
      ['l2', '4'],
    ] as const)
      await server.post('/api/v1/namespaces/other/configmaps', {
        metadata: { name, labels: { limits: 'yes' } },
        data: { most },
      })
    expect([(await secret('abc')).status, (await secret('abcdef')).status]).toEqual([201, 422])
  })

  it('of a kind that is not served refuse', async () => {
    await policy({
      validations,
      spec: { ...spec, paramKind: { apiVersion: 'ex.io/v1', kind: 'Nope' } },
      binding: { paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } },
    })
    expect((await secret('a')).body.message).toContain(
      "failed to find resource referenced by paramKind: 'ex.io/v1, Kind=Nope'",
    )
  })
})

it('annotations are for the audit', async () => {
  const auditAnnotations = [
    { key: 'size', valueExpression: "'of ' + object.metadata.name" },
    { key: 'none', valueExpression: 'null' },
  ]
  const name = await policy({ spec: { auditAnnotations } })
  noted.length = 0
  await create('x')
  expect(noted).toEqual([new Map([[`${name}/size`, 'of x']])])
})

describe('a policy is refused', () => {
  it.each<[string, object, [string, RegExp][]]>([
    [
      'when it does not parse',
      { validations: [check('object.nope ==')] },
      [['spec.validations[0].expression', /compilation failed: ERROR: .*Syntax error/s]],
    ],
    [
      'when it is no condition',
      { validations: [check("'a'")] },
      [['spec.validations[0].expression', /must evaluate to bool but got string/]],
    ],
    [
      'when a message is no text',
      { validations: [check('true', { messageExpression: '1' })] },
      [['spec.validations[0].messageExpression', /must evaluate to string but got int/]],
    ],
    [
      'when a message asks for rights',
      { validations: [check('true', { messageExpression: "authorizer.path('/').check('get').reason()" })] },
      [['spec.validations[0].messageExpression', /undeclared reference to 'authorizer'/]],
    ],
    [
      'when it names parameters it has none of',
      { validations: [check('params == null')] },
      [['spec.validations[0].expression', /undeclared reference to 'params'/]],
    ],
    [
      'when a variable is wrong',
      { validations: [check('true')], variables: [{ name: 'a', expression: '1 +' }] },
      [['spec.variables[0].expression', /Syntax error/]],
    ],
    [
      'when a condition names variables',
      {
        validations: [check('true')],
        variables: [{ name: 'a', expression: '1' }],
        matchConditions: [{ name: 'c', expression: 'variables.a == 1' }],
      },
      [['spec.matchConditions[0].expression', /undeclared reference to 'variables'/]],
    ],
    [
      'when an annotation is no text',
      { auditAnnotations: [{ key: 'k', valueExpression: '1' }] },
      [['spec.auditAnnotations[0].valueExpression', /must evaluate to one of \[string null_type\] but got int/]],
    ],
  ])('%s', async (_, spec, expected) => {
    const answer = await server.post(POLICIES, {
      metadata: { name: 'bad' },
      spec: { matchConstraints: { resourceRules: [MAP_RULE] }, ...spec },
    })
    const found = (answer.body.details as { causes: { field: string; message: string }[] }).causes
    expect([answer.status, found.map(({ field }) => field)]).toEqual([422, expected.map(([field]) => field)])
    for (const [index, [, message]] of expected.entries()) expect(found[index]?.message).toMatch(message)
  })
})

it('no policy judges the kinds that configure admission', async () => {
  const all = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }
  const name = await policy({ validations: [check('false')], spec: { matchConstraints: { resourceRules: [all] } } })
  expect((await create('a')).status).toBe(422)
  expect((await server.delete(`${BINDINGS}/${name}`)).status).toBe(200)
  expect((await create('a')).status).toBe(201)
})

describe('the status of a policy', () => {
  const checked = async (spec: object) => {
    const name = await policy({ spec })
    const { status } = await server.until(`${POLICIES}/${name}`, ({ metadata, status }) => {
      const seen = (status as { observedGeneration?: number } | undefined)?.observedGeneration
      return seen !== undefined && seen === metadata.generation
    })
    return status as { typeChecking: { expressionWarnings?: { fieldRef: string; warning: string }[] } }
  }
  const deployments = { resourceRules: [{ ...MAP_RULE, apiGroups: ['apps'], resources: ['deployments'] }] }

  it('tells what does not fit the kinds that it names', async () => {
    const { typeChecking } = await checked({
      matchConstraints: deployments,
      validations: [
        check('object.spec.replicas <= 5'),
        check('object.spec.replicaz > 1', { messageExpression: "'x' + object.metadata.nope" }),
      ],
    })
    expect(typeChecking.expressionWarnings).toEqual([
      {
        fieldRef: 'spec.validations[1].expression',
        warning:
          "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicaz'\n | object.spec.replicaz > 1\n | ...........^\n",
      },
      { fieldRef: 'spec.validations[1].messageExpression', warning: expect.stringContaining("undefined field 'nope'") },
    ])
  })

  it('is without warnings when all fits', async () => {
    const spec = {
      matchConstraints: deployments,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'images', expression: 'object.spec.template.spec.containers.map(c, c.image)' }],
      validations: [
        check("variables.images.all(i, i.startsWith(params.data['registry']))"),
        check('object.metadata.labels.size() > 0 && object.metadata.creationTimestamp == null || true'),
      ],
    }
    expect((await checked({ ...spec, validations: spec.validations.slice(0, 1) })).typeChecking).toEqual({})
  })
})
