import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePath, RequestPaths, type ResourcePath } from './request-path.ts'

const path = (given: Partial<ResourcePath>): unknown => ({
  kind: 'resource',
  path: {
    group: '',
    version: 'v1',
    namespace: undefined,
    name: undefined,
    subresource: undefined,
    watch: false,
    ...given,
  },
})

it.each<[string, unknown]>([
  ['/api/v1/configmaps', path({ resource: 'configmaps' })],
  ['/api/v1/configmaps/', path({ resource: 'configmaps' })],
  ['/api/v1/namespaces', path({ resource: 'namespaces' })],
  ['/api/v1/namespaces/a', path({ resource: 'namespaces', name: 'a' })],
  ['/api/v1/namespaces/a/status', path({ resource: 'namespaces', name: 'a', subresource: 'status' })],
  ['/api/v1/namespaces/a/finalize', path({ resource: 'namespaces', name: 'a', subresource: 'finalize' })],
  ['/api/v1/namespaces/a/configmaps', path({ namespace: 'a', resource: 'configmaps' })],
  ['/api/v1/namespaces/a/configmaps/b', path({ namespace: 'a', resource: 'configmaps', name: 'b' })],
  ['/apis/x.io/v2/things/b', path({ group: 'x.io', version: 'v2', resource: 'things', name: 'b' })],
  [
    '/apis/x.io/v2/things/b/scale',
    path({ group: 'x.io', version: 'v2', resource: 'things', name: 'b', subresource: 'scale' }),
  ],
  [
    '/apis/x.io/v2/namespaces/a/things/b/status',
    path({ group: 'x.io', version: 'v2', namespace: 'a', resource: 'things', name: 'b', subresource: 'status' }),
  ],
  // In other groups `status` is a resource like any other.
  ['/apis/x.io/v2/namespaces/a/status', path({ group: 'x.io', version: 'v2', namespace: 'a', resource: 'status' })],
  ['/api/v1/watch/configmaps', path({ resource: 'configmaps', watch: true })],
  ['/api/v1/watch/namespaces/a/configmaps/b', path({ namespace: 'a', resource: 'configmaps', name: 'b', watch: true })],
  ['/apis/x.io/v2/watch', path({ group: 'x.io', version: 'v2', resource: 'watch' })],
  ['/api', { kind: 'discovery', root: 'api', group: '', version: undefined }],
  ['/api/', { kind: 'discovery', root: 'api', group: '', version: undefined }],
  ['/api/v1', { kind: 'discovery', root: 'api', group: '', version: 'v1' }],
  ['/apis', { kind: 'discovery', root: 'apis', group: undefined, version: undefined }],
  ['/apis/x.io', { kind: 'discovery', root: 'apis', group: 'x.io', version: undefined }],
  ['/apis/x.io/v2/', { kind: 'discovery', root: 'apis', group: 'x.io', version: 'v2' }],
  ['/', { kind: 'other' }],
  ['/apiserver', { kind: 'other' }],
  ['/apisx/y', { kind: 'other' }],
  ['/version', { kind: 'other' }],
  ['/api/v1//configmaps', { kind: 'other' }],
  ['/api/v1/configmaps//a', { kind: 'other' }],
  ['/api/v1/namespaces/a/configmaps/b/status/more', { kind: 'other' }],
])('reads %s', (text, expected) => {
  expect(parsePath(text)).toEqual(expected)
})

describe('escapes', () => {
  it('are undone in each part, and a slash in one stays in it', () => {
    expect(parsePath('/api/v1/namespaces/a%2Fb/configmaps/%C3%A4')).toEqual(
      path({ namespace: 'a/b', resource: 'configmaps', name: 'ä' }),
    )
  })

  it.each(['/api/v1/configmaps/%', '/api/v1/configmaps/%zz', '/apis/%C3%28'])(
    'that are broken are an error: %s',
    (text) => {
      expect(() => parsePath(text)).toThrow(URIError)
    },
  )
})

const part = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== 'namespaces' && text !== 'watch')

it('reads back whatever a path is made of', () => {
  const paths = new RequestPaths()
  fc.assert(
    fc.property(
      fc.record({
        group: fc.oneof(fc.constant(''), part),
        version: part,
        namespace: fc.option(part, { nil: undefined }),
        resource: part,
        name: fc.option(part, { nil: undefined }),
        subresource: fc.option(part, { nil: undefined }),
        watch: fc.boolean(),
      }),
      (given) => {
        const wanted = { ...given, subresource: given.name === undefined ? undefined : given.subresource }
        fc.pre(
          !(wanted.group === '' && wanted.namespace !== undefined && ['status', 'finalize'].includes(wanted.resource)),
        )
        const { group, version, namespace, resource, name, subresource, watch } = wanted
        const parts = [
          ...(group === '' ? ['api'] : ['apis', group]),
          version,
          ...(watch ? ['watch'] : []),
          ...(namespace === undefined ? [] : ['namespaces', namespace]),
          resource,
          ...(name === undefined ? [] : [name]),
          ...(subresource === undefined ? [] : [subresource]),
        ]
        const pathname = `/${parts.map(encodeURIComponent).join('/')}`
        // The second time it is kept.
        for (let time = 0; time < 2; time++) expect(paths.parse(pathname)).toEqual({ kind: 'resource', path: wanted })
      },
    ),
  )
})

it('never does anything but answer or find a broken escape', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('/', 'api', 'apis', 'namespaces', '%', '%2F', 'watch'), fc.string())),
      (parts) => {
        try {
          expect(['resource', 'discovery', 'other']).toContain(parsePath(`/${parts.join('')}`).kind)
        } catch (error) {
          expect(error).toBeInstanceOf(URIError)
        }
      },
    ),
  )
})
