// Answers the reviews of an API server: the path names what is asked of which definition.

import { messageOf } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { deepEqual, isObject, isStatusError, parseGroupVersion, writeJson } from '@homeostat/meta'
import type { AdmissionCall, AdmissionUser, KindWebhooks } from '../runtime/kind-webhooks.ts'

/** The kinds by the names of their definitions. */
export type ServedKinds = ReadonlyMap<string, KindWebhooks>

type Fields = Readonly<Record<string, unknown>>

/** Undefined when the path is nobody's. Rejects with what a function threw: then the webhook has failed. */
export async function answerReview(kinds: ServedKinds, path: string, review: unknown): Promise<object | undefined> {
  const [, purpose = '', name = ''] = /^\/(validate|mutate|convert)\/([^/?]+)(?:\?.*)?$/.exec(path) ?? []
  const kind = kinds.get(name)
  if (kind === undefined || !isObject(review as never)) return undefined
  const { apiVersion, kind: reviewKind, request } = review as Fields
  const asked = (isObject(request as never) ? request : {}) as Fields
  const answer = await answerTo(kind, purpose, asked)
  return answer && { apiVersion, kind: reviewKind, response: { uid: asked.uid, ...answer } }
}

async function answerTo(kind: KindWebhooks, purpose: string, request: Fields): Promise<object | undefined> {
  if (purpose === 'convert') return kind.convert && convertAll(kind.convert.bind(kind), request)
  const ask = purpose === 'validate' ? kind.validate && validateOne : kind.mutate && mutateOne
  if (ask === undefined) return undefined
  const warnings: string[] = []
  try {
    return { ...(await ask(kind, callOf(request, warnings))), ...(warnings.length > 0 && { warnings }) }
  } catch (error) {
    // An author who throws a Status refuses; any other error is one of the webhook itself.
    if (!isStatusError(error)) throw error
    const { message, reason, code, details } = error.status
    return { allowed: false, status: { message, reason, code, details } }
  }
}

async function validateOne(kind: KindWebhooks, call: AdmissionCall): Promise<object> {
  const problems = (await kind.validate?.(call)) ?? []
  if (problems.length === 0) return { allowed: true }
  const message = problems.length === 1 ? problems[0] : `[${problems.join(', ')}]`
  return { allowed: false, status: { code: 422, reason: 'Invalid', message } }
}

async function mutateOne(kind: KindWebhooks, call: AdmissionCall): Promise<object> {
  const spec = await kind.mutate?.(call)
  if (spec === undefined || deepEqual(spec, (call.object as { readonly spec?: unknown }).spec)) return { allowed: true }
  const patch = Buffer.from(writeJson([{ op: 'add', path: '/spec', value: spec }])).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}

function callOf(request: Fields, warnings: string[]): AdmissionCall {
  const { operation, name, namespace, object, oldObject, userInfo, dryRun } = request
  const { username = '', groups = [] } = (userInfo ?? {}) as Partial<AdmissionUser>
  return {
    operation: operation === 'CREATE' ? 'CREATE' : 'UPDATE',
    name: typeof name === 'string' ? name : '',
    namespace: typeof namespace === 'string' && namespace !== '' ? namespace : undefined,
    object: object as ApiObject,
    old: (oldObject ?? undefined) as ApiObject | undefined,
    user: { username, groups },
    dryRun: dryRun === true,
    warn: (text) => void warnings.push(text),
  }
}

function convertAll(convert: NonNullable<KindWebhooks['convert']>, { desiredAPIVersion, objects }: Fields): object {
  const version = parseGroupVersion(String(desiredAPIVersion))?.version ?? ''
  try {
    const convertedObjects = (objects as ApiObject[]).map((object) => convert(object, version))
    return { convertedObjects, result: { status: 'Success' } }
  } catch (error) {
    return { convertedObjects: [], result: { status: 'Failure', message: messageOf(error) } }
  }
}
