import { type KubeObject, StatusError } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { ADMINISTRATOR } from '../identity/user.ts'
import { reviewAccess, reviewLocalAccess, reviewSelfAccess } from './access-review.ts'

const attributes = { verb: 'get', resource: 'pods', namespace: 'lab' }
const review = (spec: object | undefined, metadata: object = {}): KubeObject => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  metadata,
  ...(spec && { spec }),
})

function causesOf(ask: () => unknown): string[] {
  try {
    ask()
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return (error.status.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`)
  }
  return []
}

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
  ])('with the spec %o is refused for %o', (spec, causes) => {
    expect(causesOf(() => reviewAccess(review(spec)))).toEqual(causes)
  })

  it('has no metadata', () => {
    const spec = { user: 'u', resourceAttributes: attributes }
    expect(causesOf(() => reviewAccess(review(spec, { name: 'x' })))).toEqual([
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ])
    expect(causesOf(() => reviewAccess(review(spec, { managedFields: [{}], creationTimestamp: null })))).toEqual([])
    expect(causesOf(() => reviewLocalAccess(review(spec, { namespace: 'lab' })))).toEqual([])
  })

  it('of a namespace is about resources there', () => {
    const ask = (spec: object) =>
      causesOf(() => reviewLocalAccess(review({ user: 'u', ...spec }, { namespace: 'lab' })))
    expect(ask({ resourceAttributes: { verb: 'get' } })).toEqual([
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ])
    expect(ask({ nonResourceAttributes: { path: '/x', verb: 'get' } })).toEqual([
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
  ])('with the selectors %o says "%s"', (selectors, evaluationError) => {
    const { status } = reviewSelfAccess(review({ resourceAttributes: { ...attributes, ...selectors } }), ADMINISTRATOR)
    expect(status).toEqual({ allowed: true, ...(evaluationError !== '' && { evaluationError }) })
  })

  it('takes nothing from the status it was sent with', () => {
    const object = {
      ...review({ user: 'u', resourceAttributes: attributes }),
      status: { allowed: true, reason: 'mine' },
    }
    expect(reviewAccess(object).status).toEqual({ allowed: false })
  })
})
