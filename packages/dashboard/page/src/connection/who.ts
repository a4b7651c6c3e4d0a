// Who the page is for the server, and what that user may do. Asked once per question and kept, until the user changes.

import { client } from './client.ts'

const ANONYMOUS = 'system:anonymous'

/** Undefined for somebody whom the server does not know. */
export async function whoAmI(): Promise<string | undefined> {
  const review = (await client.requestJson({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
  })) as { status?: { userInfo?: { username?: string } } }
  const name = review.status?.userInfo?.username
  return name === ANONYMOUS ? undefined : name
}

export interface Action {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string
  readonly namespace?: string | undefined
  readonly name?: string
}

const answers = new Map<string, Promise<string | undefined>>()

/** Why the user may not; undefined when they may. */
export function whyNot(action: Action): Promise<string | undefined> {
  const key = JSON.stringify(action)
  let answer = answers.get(key)
  if (answer === undefined) {
    answer = ask(action).catch(() => {
      answers.delete(key)
      return undefined
    })
    answers.set(key, answer)
  }
  return answer
}

export function forgetRights(): void {
  answers.clear()
}

async function ask(action: Action): Promise<string | undefined> {
  const review = (await client.requestJson({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: action },
    }),
  })) as { status?: { allowed?: boolean; reason?: string } }
  if (review.status?.allowed) return undefined
  return (
    review.status?.reason ||
    `You may not ${action.verb} ${action.resource}${action.namespace ? ` in ${action.namespace}` : ''}.`
  )
}
