// Questions to the authorizer of a request, put together step by step: `authorizer.group('apps').resource('deployments').check('get')`.

import { dns1123Label, dns1123Subdomain } from '@homeostat/meta'
import type { AuthorizationAnswer, AuthorizationQuestion, Authorize } from '../authorizer.ts'
import { define, type Library, member } from '../functions/declaration.ts'
import { boolType, type CelType, opaqueType, stringType } from '../types/cel-type.ts'
import { Failure, Opaque, type Value } from '../values/value.ts'

/** Of the variable `authorizer`. */
export const authorizerType = opaqueType('kubernetes.authorization.Authorizer')
const pathCheckType = opaqueType('kubernetes.authorization.PathCheck')
const groupCheckType = opaqueType('kubernetes.authorization.GroupCheck')
/** Of the variable `authorizer.requestResource`. */
export const resourceCheckType = opaqueType('kubernetes.authorization.ResourceCheck')
const decisionType = opaqueType('kubernetes.authorization.Decision')

class Question extends Opaque {
  readonly type: CelType
  readonly authorize: Authorize
  readonly parts: Partial<AuthorizationQuestion>

  constructor(type: CelType, authorize: Authorize, parts: Partial<AuthorizationQuestion>) {
    super()
    this.type = type
    this.authorize = authorize
    this.parts = parts
  }

  with(parts: Partial<AuthorizationQuestion>, type: CelType = this.type): Question {
    return new Question(type, this.authorize, { ...this.parts, ...parts })
  }

  equals(other: Opaque): boolean {
    if (!(other instanceof Question) || other.authorize !== this.authorize) return false
    const entries = Object.entries(this.parts)
    const others: Record<string, unknown> = other.parts
    return entries.length === Object.keys(others).length && entries.every(([name, part]) => others[name] === part)
  }
}

class Decision extends Opaque {
  readonly type = decisionType
  readonly answer: AuthorizationAnswer

  constructor(answer: AuthorizationAnswer) {
    super()
    this.answer = answer
  }

  equals(other: Opaque): boolean {
    return other === this
  }
}

/** What the variable `authorizer` is bound to. */
export function authorizerValue(authorize: Authorize): object {
  return new Question(authorizerType, authorize, {})
}

/** What the variable `authorizer.requestResource` is bound to: a question about the resource of the request. */
export function resourceCheckValue(authorize: Authorize, about: Partial<AuthorizationQuestion>): object {
  return new Question(resourceCheckType, authorize, about)
}

function check(question: Question, verb: string): Value {
  const empty = { group: '', resource: '', subresource: '', namespace: '', name: '' }
  return new Decision(question.authorize({ ...empty, ...question.parts, verb }))
}

function serviceAccount(question: Question, namespace: string, name: string): Value {
  if (dns1123Subdomain(name).length > 0) return new Failure('Invalid service account name')
  if (dns1123Label(namespace).length > 0) return new Failure('Invalid service account namespace')
  return question.with({ serviceAccount: { namespace, name } })
}

const notEmpty = (name: string, text: string, made: () => Value): Value =>
  text.trim() === '' ? new Failure(`${name} must not be empty`) : made()

const part = (name: 'subresource' | 'namespace' | 'name' | 'fieldSelector' | 'labelSelector') =>
  define(
    name,
    member(
      `resourcecheck_${name.toLowerCase()}`,
      [resourceCheckType, stringType],
      resourceCheckType,
      (question: Question, text: string) => question.with({ [name]: text }),
    ),
  )

const read = (name: string, result: CelType, call: (answer: AuthorizationAnswer) => Value) =>
  define(
    name,
    member(`decision_${name}`, [decisionType], result, ({ answer }: Decision) => call(answer)),
  )

export const authorizationLibrary: Library = {
  functions: [
    define(
      'path',
      member('authorizer_path', [authorizerType, stringType], pathCheckType, (question: Question, path: string) =>
        notEmpty('path', path, () => question.with({ path }, pathCheckType)),
      ),
    ),
    define(
      'group',
      member('authorizer_group', [authorizerType, stringType], groupCheckType, (question: Question, group: string) =>
        question.with({ group }, groupCheckType),
      ),
    ),
    define(
      'serviceAccount',
      member('authorizer_serviceaccount', [authorizerType, stringType, stringType], authorizerType, serviceAccount),
    ),
    define(
      'resource',
      member(
        'groupcheck_resource',
        [groupCheckType, stringType],
        resourceCheckType,
        (question: Question, resource: string) =>
          notEmpty('resource', resource, () => question.with({ resource }, resourceCheckType)),
      ),
    ),
    part('subresource'),
    part('namespace'),
    part('name'),
    part('fieldSelector'),
    part('labelSelector'),
    define(
      'check',
      member('pathcheck_check', [pathCheckType, stringType], decisionType, check),
      member('resourcecheck_check', [resourceCheckType, stringType], decisionType, check),
    ),
    read('errored', boolType, ({ error }) => error !== undefined),
    read('error', stringType, ({ error }) => error ?? ''),
    read('allowed', boolType, ({ allowed }) => allowed),
    read('reason', stringType, ({ reason }) => reason ?? ''),
  ],
  types: [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType],
}
