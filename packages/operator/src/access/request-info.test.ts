import { expect, it } from 'vitest'
import { requestInfo } from './request-info.ts'

it.each([
  ['GET', '/api/v1/pods', 'list pods'],
  ['GET', '/api/v1/namespaces/shop/pods?limit=500', 'list pods in shop'],
  ['GET', '/api/v1/namespaces/shop/pods?watch=true', 'watch pods in shop'],
  ['GET', '/api/v1/namespaces/shop/pods?watch=true&fieldSelector=metadata.name%3Dp', 'watch pods in shop named p'],
  ['GET', '/api/v1/namespaces/shop', 'get namespaces named shop'],
  ['GET', '/api/v1/namespaces', 'list namespaces'],
  ['PATCH', '/apis/apps/v1/namespaces/shop/deployments/web?force=true', 'patch deployments.apps in shop named web'],
  ['PUT', '/apis/ex.io/v1/namespaces/a/sites/s/status', 'update sites/status.ex.io in a named s'],
  ['POST', '/apis/ex.io/v1/namespaces/a/sites', 'create sites.ex.io in a'],
  ['POST', '/api/v1/namespaces/a/serviceaccounts/s/token', 'create serviceaccounts/token in a named s'],
  ['DELETE', '/apis/ex.io/v1/sites', 'deletecollection sites.ex.io'],
  ['DELETE', '/apis/ex.io/v1/sites/x%20y', 'delete sites.ex.io named x y'],
])('%s %s is %s', (method, path, expected) => {
  const { verb, group, resource, subresource, namespace, name } = requestInfo({ method, path }) ?? {}
  const what = `${resource}${subresource ? `/${subresource}` : ''}${group && `.${group}`}`
  expect(`${verb} ${what}${namespace ? ` in ${namespace}` : ''}${name ? ` named ${name}` : ''}`).toBe(expected)
})

it.each(['/version', '/api', '/api/v1', '/apis', '/apis/ex.io', '/apis/ex.io/v1', '/healthz', '/openapi/v3'])(
  '%s is about no resource',
  (path) => expect(requestInfo({ method: 'GET', path })).toBeUndefined(),
)
