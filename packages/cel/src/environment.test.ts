import { describe, expect, it } from 'vitest'
import type { AuthorizationQuestion } from './authorizer.ts'
import { CelError } from './cel-error.ts'
import { createEnvironment } from './environment.ts'
import { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from './library/authorization.ts'
import { namespaceType, requestType } from './policy-types.ts'
import { boolType, dynType, intType, objectType, optionalOf, stringType } from './types/cel-type.ts'
import { jsonOf } from './values/json-of.ts'

function evaluate(
  text: string,
  variables: Parameters<typeof createEnvironment>[0]['variables'],
  bindings: Record<string, unknown>,
) {
  const { program, issues } = createEnvironment({ variables }).compile(text)
  if (program === undefined) throw new Error(issues.text)
  return program.evaluate(bindings)
}

describe('a program', () => {
  it('tells which variables it reads', () => {
    const { program } = createEnvironment({ variables: { self: intType, oldSelf: intType } }).compile(
      '[1].all(self, self == 1) || oldSelf > 1',
    )
    expect([...(program?.variables ?? [])]).toEqual(['oldSelf'])
  })

  it('keeps integers beyond 2^53 exact', () => {
    expect(evaluate('self + 1', { self: intType }, { self: 9007199254740993n }).value).toBe(9007199254740994n)
    expect(evaluate('self - 9007199254740992', { self: intType }, { self: 9007199254740993n }).value).toBe(1)
    expect(evaluate('self + 1', { self: intType }, { self: 9223372036854775807n }).error?.message).toBe(
      'integer overflow',
    )
  })

  it('answers with JSON for whoever shows a result', () => {
    const { value } = evaluate(
      "{'a': dyn([dyn(1), dyn(2.5), dyn(3u)]), 'b': dyn(duration('90s')), 'c': dyn(optional.of(b'hi'))}",
      {},
      {},
    )
    expect(jsonOf(value)).toEqual({ a: [1, 2.5, 3], b: '90s', c: 'aGk=' })
  })

  it('fails on a variable that is not bound', () => {
    expect(evaluate('self == 1', { self: intType }, {}).error?.message).toBe('no such attribute(s): self')
  })

  it('takes an optional that is not bound as empty', () => {
    const variables = { oldSelf: optionalOf(objectType('o', { i: intType })) }
    expect(evaluate('oldSelf.hasValue()', variables, { oldSelf: undefined }).value).toBe(false)
    expect(evaluate('oldSelf.?i.orValue(7)', variables, { oldSelf: { i: 3 } }).value).toBe(3)
    expect(evaluate('oldSelf.i.hasValue()', variables, { oldSelf: {} }).value).toBe(false)
  })

  it('does not change or copy what it reads', () => {
    const self = Object.freeze({ l: Object.freeze(['b', 'a']) })
    expect(jsonOf(evaluate('self.l.sort() + self.l', { self: dynType }, { self }).value)).toEqual(['a', 'b', 'b', 'a'])
    expect(self.l).toEqual(['b', 'a'])
  })
})

describe('variables of a policy', () => {
  it('are evaluated when an expression reads them, and their failure is its own', () => {
    let reads = 0
    const variables = {
      get sound() {
        reads++
        return true
      },
      get broken(): boolean {
        throw new CelError('division by zero')
      },
    }
    const types = { variables: objectType('kubernetes.variables', { sound: boolType, broken: boolType }) }
    expect(evaluate('false && variables.sound', types, { variables }).value).toBe(false)
    expect(reads).toBe(0)
    expect(evaluate('variables.sound', types, { variables }).value).toBe(true)
    expect(reads).toBe(1)
    expect(evaluate('variables.broken', types, { variables }).error?.message).toBe('division by zero')
  })

  it('have the types of the request and the namespace', () => {
    const types = { request: requestType, namespaceObject: namespaceType, object: dynType }
    const request = { operation: 'CREATE', userInfo: { groups: ['a'] }, kind: { kind: 'Pod' } }
    const text = "request.operation == 'CREATE' && 'a' in request.userInfo.groups && object.spec.replicas > 1"
    expect(evaluate(text, types, { request, object: { spec: { replicas: 2 } } }).value).toBe(true)
    expect(
      evaluate('has(namespaceObject.metadata.labels.env)', types, {
        namespaceObject: { metadata: { labels: { env: 'x' } } },
      }).value,
    ).toBe(true)
    expect(() => evaluate('request.nope', types, {})).toThrow("undefined field 'nope'")
  })

  it('ask the authorizer what was put together', () => {
    const asked: AuthorizationQuestion[] = []
    const authorize = (question: AuthorizationQuestion) => {
      asked.push(question)
      return { allowed: question.verb === 'get', reason: 'because' }
    }
    const types = { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType, name: stringType }
    const bindings = {
      authorizer: authorizerValue(authorize),
      'authorizer.requestResource': resourceCheckValue(authorize, {
        group: 'apps',
        resource: 'deployments',
        namespace: 'n',
      }),
      name: 'x',
    }
    const text =
      "authorizer.serviceAccount('n', 's').group('').resource('pods').subresource('log').name(name).check('get').allowed()"
    expect(evaluate(text, types, bindings)).toMatchObject({ value: true, cost: 350_008 })
    expect(evaluate("authorizer.path('/healthz').check('post').reason()", types, bindings).value).toBe('because')
    expect(evaluate("authorizer.requestResource.check('delete').allowed()", types, bindings).value).toBe(false)
    expect(evaluate("authorizer.group('').resource('').check('get').allowed()", types, bindings).error?.message).toBe(
      'resource must not be empty',
    )
    expect(asked).toEqual([
      {
        serviceAccount: { namespace: 'n', name: 's' },
        verb: 'get',
        group: '',
        resource: 'pods',
        subresource: 'log',
        namespace: '',
        name: 'x',
      },
      { path: '/healthz', verb: 'post', group: '', resource: '', subresource: '', namespace: '', name: '' },
      { verb: 'delete', group: 'apps', resource: 'deployments', subresource: '', namespace: 'n', name: '' },
    ])
  })
})

describe('a limit', () => {
  it('stops within a step, at the cost that was reached', () => {
    const { program } = createEnvironment({ variables: { self: dynType } }).compile('self.all(x, x > 0)')
    const self = [1, 2, 3, 4, 5]
    const { cost } = program?.evaluate({ self }) ?? { cost: 0 }
    expect(program?.evaluate({ self }, cost).error).toBeUndefined()
    expect(program?.evaluate({ self }, cost - 1).error?.code).toBe('CostLimitExceeded')
    expect(program?.evaluate({ self }, 10).cost).toBeLessThanOrEqual(13)
  })

  it('also bounds patterns that values bring', () => {
    const { program } = createEnvironment({ variables: { self: dynType } }).compile(
      'self.all(x, "a".matches(x) || true)',
    )
    const self = Array.from({ length: 50_000 }, (_, i) => `${i}`)
    expect(program?.evaluate({ self }).error?.code).toBe('CostLimitExceeded')
  })
})
