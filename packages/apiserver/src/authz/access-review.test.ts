import { type KubeObject, StatusError } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { ADMINISTRATOR } from '../identity/user.ts'
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from './access-review.ts'
import { rolesAuthorizer } from './rbac/roles.fixture.ts'

const roles = rolesAuthorizer()
const rulesOf = () => ({ resourceRules: [], nonResourceRules: [] })
const attributes = { verb: 'get', resource: 'pods', namespace: 'lab' }
const review = (spec: object | undefined, metadata: object = {}): KubeObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  metadata,
  ...(spec && { spec }),
})

async function causesOf(ask: Promise<unknown>): Promise<string[]> {
  try {
    await ask
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
  }
  return []
}

const access = (object: KubeObject) => reviewAccess(object, ADMINISTRATOR, roles)
const localAccess = (object: KubeObject) => reviewLocalAccess(object, ADMINISTRATOR, roles)

const NOTHING =
  'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified'
const NOBODY = 'spec.user: Invalid value: "": at least one of user or group must be specified'
const SELECTOR = 'spec.resourceAttributes.fieldSelector'

describe('an access review', () => {
  it.each<[object | undefined, string[]]>([
    [undefined, [NOTHING, NOBODY]],
    [{ user: 'u' }, [NOTHING]],
    [{ resourceAttributes: attributes }, [NOBODY]],
    [
      { groups: ['g'], resourceAttributes: {}, nonResourceAttributes: { path: '/x' } },
      [
        'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":""}: cannot be specified in combination with resourceAttributes',
      ],
    ],
    [
      { resourceAttributes: { fieldSelector: {} } },
      [
        NOBODY,
        `${SELECTOR}.requirements: Required value: when ${SELECTOR} is specified, requirements or rawSelector is required`,
      ],
    ],
    [
      { user: 'u', resourceAttributes: { fieldSelector: { rawSelector: 'a=b', requirements: [{ operator: 'In' }] } } },
      [
        `${SELECTOR}.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
        `${SELECTOR}.requirements[0].key: Required value: must be specified`,
        `${SELECTOR}.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
    ],
  ])('with the spec %o is refused for %o', async (spec, causes) => {
    expect(await causesOf(access(review(spec)))).toEqual(causes)
  })

  it('has no metadata', async () => {
    const spec = { user: 'u', resourceAttributes: attributes }
    expect(await causesOf(access(review(spec, { name: 'x' })))).toEqual([
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ])
    expect(await causesOf(access(review(spec, { managedFields: [{}], creationTimestamp: null })))).toEqual([])
    expect(await causesOf(localAccess(review(spec, { namespace: 'lab' })))).toEqual([])
  })

  it('of a namespace is about resources there', async () => {
    const ask = (spec: object) => causesOf(localAccess(review({ user: 'u', ...spec }, { namespace: 'lab' })))
    expect(await ask({ resourceAttributes: { verb: 'get' } })).toEqual([
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ])
    expect(await ask({ nonResourceAttributes: { path: '/x', verb: 'get' } })).toEqual([
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
    ])
  })

  it.each<[object, string]>([
    [{ fieldSelector: { rawSelector: 'a=b' }, labelSelector: { rawSelector: 'a in (b)' } }, ''],
    [{ labelSelector: { rawSelector: 'a in' } }, 'spec.resourceAttributes.labelSelector ignored due to parse error'],
    [
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'a', operator: 'New' },
          ],
        },
      },
      'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    ],
    [
      { labelSelector: { requirements: [{ key: 'a', operator: 'New' }] }, fieldSelector: { rawSelector: 'a' } },
      'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    ],
  ])('with the selectors %o says "%s"', async (selectors, evaluationError) => {
    const question = review({ resourceAttributes: { ...attributes, ...selectors } })
    const { status } = await reviewSelfAccess(question, ADMINISTRATOR, roles)
    expect(status).toEqual({ allowed: true, ...(evaluationError !== '' && { evaluationError }) })
  })

  it('takes nothing from the status it was sent with', async () => {
    const object = {
      ...review({ user: 'u', resourceAttributes: attributes }),
      status: { allowed: true, reason: 'mine' },
    }
    expect((await access(object)).status).toEqual({ allowed: false })
  })

  it('is answered when the authorizer knows', async () => {
    const authorizer = { rulesOf, authorize: async () => ({ allowed: true, reason: 'asked elsewhere' }) }
    const question = review({ user: 'u', resourceAttributes: attributes })
    expect((await reviewAccess(question, ADMINISTRATOR, authorizer)).status).toEqual({
      allowed: true,
      reason: 'asked elsewhere',
    })
  })
})
