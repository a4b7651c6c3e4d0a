import { describe, expect, it } from 'vitest'
import { invalidValue, required } from './field-causes.ts'
import { isStatusError, StatusError } from './status-error.ts'
import * as errors from './status-errors.ts'

const apps = { group: 'example.com', resource: 'apps' }
const namespaces = { group: '', resource: 'namespaces' }
const frame = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' }

describe('Status errors have the shape a real server answers with', () => {
  it.each<[string, StatusError, object]>([
    ['badRequest', errors.badRequest('no'), { code: 400, reason: 'BadRequest', message: 'no' }],
    ['unauthorized', errors.unauthorized(), { code: 401, reason: 'Unauthorized', message: 'Unauthorized' }],
    [
      'forbidden',
      errors.forbidden({ ...namespaces, name: 'kube-system' }, 'this namespace may not be deleted'),
      {
        code: 403,
        reason: 'Forbidden',
        message: 'namespaces "kube-system" is forbidden: this namespace may not be deleted',
        details: { kind: 'namespaces', name: 'kube-system' },
      },
    ],
    [
      'forbidden without a name',
      errors.forbidden(apps, 'User "a" cannot list'),
      {
        code: 403,
        reason: 'Forbidden',
        message: 'apps.example.com is forbidden: User "a" cannot list',
        details: { group: 'example.com', kind: 'apps' },
      },
    ],
    [
      'forbidden without a resource',
      errors.forbidden({ resource: '' }, 'User "a" cannot get path "/x"'),
      { code: 403, reason: 'Forbidden', message: 'forbidden: User "a" cannot get path "/x"', details: {} },
    ],
    [
      'notFound',
      errors.notFound(apps, 'a'),
      {
        code: 404,
        reason: 'NotFound',
        message: 'apps.example.com "a" not found',
        details: { group: 'example.com', kind: 'apps', name: 'a' },
      },
    ],
    [
      'notFound in the core group',
      errors.notFound(namespaces, 'x'),
      {
        code: 404,
        reason: 'NotFound',
        message: 'namespaces "x" not found',
        details: { kind: 'namespaces', name: 'x' },
      },
    ],
    [
      'methodNotAllowed',
      errors.methodNotAllowed(apps, 'create'),
      {
        code: 405,
        reason: 'MethodNotAllowed',
        message: 'create is not supported on resources of kind "apps.example.com"',
        details: { group: 'example.com', kind: 'apps' },
      },
    ],
    [
      'notAcceptable',
      errors.notAcceptable(['a/b', 'c/d']),
      { code: 406, reason: 'NotAcceptable', message: 'only the following media types are accepted: a/b, c/d' },
    ],
    [
      'unsupportedMediaType',
      errors.unsupportedMediaType(['a/b']),
      {
        code: 415,
        reason: 'UnsupportedMediaType',
        message: 'the body of the request was in an unknown format - accepted media types include: a/b',
      },
    ],
    [
      'alreadyExists',
      errors.alreadyExists(apps, 'a'),
      {
        code: 409,
        reason: 'AlreadyExists',
        message: 'apps.example.com "a" already exists',
        details: { group: 'example.com', kind: 'apps', name: 'a' },
      },
    ],
    [
      'conflict',
      errors.conflict(apps, 'a', 'the object has been modified'),
      {
        code: 409,
        reason: 'Conflict',
        message: 'Operation cannot be fulfilled on apps.example.com "a": the object has been modified',
        details: { group: 'example.com', kind: 'apps', name: 'a' },
      },
    ],
    [
      'expired',
      errors.expired('too old', 'token'),
      { code: 410, reason: 'Expired', message: 'too old', metadata: { continue: 'token' } },
    ],
    [
      'requestEntityTooLarge',
      errors.requestEntityTooLarge(3145728),
      { code: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large: limit is 3145728' },
    ],
    [
      'tooManyRequests',
      errors.tooManyRequests('slow down', 3),
      { code: 429, reason: 'TooManyRequests', message: 'slow down', details: { retryAfterSeconds: 3 } },
    ],
    [
      'internalError',
      errors.internalError('oops'),
      {
        code: 500,
        reason: 'InternalError',
        message: 'Internal error occurred: oops',
        details: { causes: [{ message: 'oops' }] },
      },
    ],
    [
      'serviceUnavailable',
      errors.serviceUnavailable('later'),
      { code: 503, reason: 'ServiceUnavailable', message: 'later' },
    ],
    [
      'tooLargeResourceVersion',
      errors.tooLargeResourceVersion(9, 5),
      {
        code: 504,
        reason: 'Timeout',
        message: 'Timeout: Too large resource version: 9, current: 5',
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      },
    ],
    ['failure', errors.failure(500, 'strange'), { code: 500, message: 'strange' }],
  ])('%s', (_, error, expected) => {
    expect(error.status).toEqual({ ...frame, ...expected })
    expect(error.message).toBe(error.status.message)
  })
})

describe('invalid', () => {
  const name = required('metadata.name', 'name or generateName is required')
  const replicas = invalidValue('spec.replicas', -1, 'must be at least 0')

  it('names the kind, and the one cause without brackets', () => {
    const error = errors.invalid({ group: 'example.com', kind: 'App' }, 'a', [replicas])
    expect(error.message).toBe('App.example.com "a" is invalid: spec.replicas: Invalid value: -1: must be at least 0')
    expect(error.status.details).toEqual({ group: 'example.com', kind: 'App', name: 'a', causes: [replicas] })
  })

  it('lists several causes in brackets, each text once, and leaves an empty name out of the details', () => {
    const error = errors.invalid({ group: '', kind: 'Namespace' }, '', [name, replicas, replicas])
    expect(error.message).toBe(
      'Namespace "" is invalid: [metadata.name: Required value: name or generateName is required, spec.replicas: Invalid value: -1: must be at least 0]',
    )
    expect(error.status.details).toEqual({ kind: 'Namespace', causes: [name, replicas, replicas] })
  })

  it('belongs to meta.k8s.io for options', () => {
    expect(errors.invalidOptions('ListOptions', [name]).status.details).toMatchObject({
      group: 'meta.k8s.io',
      kind: 'ListOptions',
    })
  })
})

describe('isStatusError', () => {
  it('knows a StatusError by its reason', () => {
    expect(isStatusError(errors.notFound(apps, 'a'))).toBe(true)
    expect(isStatusError(errors.notFound(apps, 'a'), 'NotFound')).toBe(true)
    expect(isStatusError(errors.notFound(apps, 'a'), 'Conflict')).toBe(false)
    expect(isStatusError(new Error('x'))).toBe(false)
    expect(isStatusError(undefined)).toBe(false)
  })

  it('knows one that another copy of the package made', () => {
    const foreign = Object.assign(new Error('x'), {
      [Symbol.for('homeostat.status-error')]: true,
      status: errors.notFound(apps, 'a').status,
    })
    expect(foreign instanceof StatusError).toBe(false)
    expect(isStatusError(foreign, 'NotFound')).toBe(true)
  })

  it('has a code and a reason even where the status has none', () => {
    const error = new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' })
    expect([error.code, error.reason]).toEqual([500, ''])
  })

  it('keeps the cause', () => {
    const cause = new Error('disk')
    expect(errors.internalError('oops', { cause }).cause).toBe(cause)
  })
})

it('has a name by which logs of other packages know it', () => {
  expect(errors.notFound(namespaces, 'a').name).toBe('StatusError')
})
