import { beforeAll, expect, test, vi } from 'vitest'

beforeAll(() => vi.stubGlobal('localStorage', { getItem: () => null }))

test.each([
  ['GET', '/api/v1/pods', false],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', false],
  ['PATCH', '/api/v1/namespaces/a/pods/reviews', true],
  ['PATCH', '/api/v1/pods/a?fieldManager=x&dryRun=All', false],
  ['PATCH', '/api/v1/pods/a?fieldManager=dryRun', true],
  ['DELETE', '/api/v1/pods/a', true],
])('%s %s changes something: %s', async (method, path, wanted) => {
  const { changes } = await import('./read-only.ts')
  expect(changes(method, path)).toBe(wanted)
})
