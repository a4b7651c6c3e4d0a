// The parameters of operations. kubectl reads them: it sends fieldValidation and dryRun with a write only when the
// PATCH operation of the kind lists them.

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly description: string
  readonly required?: true
  readonly schema: { readonly type: string; readonly uniqueItems: true }
}

const QUERY: Readonly<Record<string, readonly [type: string, description: string]>> = {
  allowWatchBookmarks: ['boolean', 'Lets the server send BOOKMARK events, which carry only a newer resourceVersion.'],
  continue: ['string', 'The token of the previous page; the answer is the next page of the same list.'],
  dryRun: ['string', 'With All, the request is checked and answered in full, and nothing is stored.'],
  fieldManager: ['string', 'The name under which the fields set by this request are recorded.'],
  fieldSelector: ['string', 'Restricts the answer to objects whose fields have these values.'],
  fieldValidation: ['string', 'What to do about unknown and duplicate fields: Ignore, Warn (the default) or Strict.'],
  force: ['boolean', 'Takes over fields that other managers own. Only for apply patches.'],
  gracePeriodSeconds: ['integer', 'Seconds to wait before the object is deleted; 0 deletes at once.'],
  ignoreStoreReadErrorWithClusterBreakingPotential: ['boolean', 'Deletes an object even if it cannot be read.'],
  labelSelector: ['string', 'Restricts the answer to objects whose labels match.'],
  limit: ['integer', 'The most objects one answer may hold. The answer has a continue token when there are more.'],
  orphanDependents: ['boolean', 'Older form of propagationPolicy: true is Orphan, false is Background.'],
  pretty: ['string', 'With true, the answer is indented.'],
  propagationPolicy: ['string', 'What happens to dependents: Orphan, Background or Foreground.'],
  resourceVersion: ['string', 'Which version may be read, or which version a watch starts after.'],
  resourceVersionMatch: ['string', 'How resourceVersion is meant: Exact or NotOlderThan.'],
  sendInitialEvents: ['boolean', 'Makes a watch start with what exists now, followed by a marked bookmark.'],
  timeoutSeconds: ['integer', 'How long the request, such as a watch, may last.'],
  watch: ['boolean', 'Streams changes instead of answering with a list.'],
}

const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
]
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
]
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation']

/** The query parameters of each action, in alphabetical order. */
const CUSTOM_PARAMETERS = {
  list: LIST.map(query),
  deletecollection: LIST.map(query),
  get: ['resourceVersion'].map(query),
  post: WRITE.map(query),
  put: WRITE.map(query),
  patch: [...WRITE, 'force'].map(query),
  delete: DELETE.map(query),
} satisfies Record<string, Parameter[]>

export type Action = keyof typeof CUSTOM_PARAMETERS

/** Exceptions that Kubernetes publishes for built-in kinds. */
const BUILTIN_PARAMETERS: Readonly<Record<Action, Parameter[]>> = {
  ...CUSTOM_PARAMETERS,
  get: [],
  deletecollection: [...LIST.filter((name) => !/watch/i.test(name)), ...DELETE].sort().map(query),
}

export function actionParameters(action: Action, custom: boolean): readonly Parameter[] {
  return (custom ? CUSTOM_PARAMETERS : BUILTIN_PARAMETERS)[action]
}

export const PRETTY: Parameter = query('pretty')

export const NAMESPACE: Parameter = path('namespace', 'The namespace of the object.')

export function nameParameter(kind: string): Parameter {
  return path('name', `The name of the ${kind}.`)
}

function query(name: string): Parameter {
  const known = QUERY[name]
  if (!known) throw new Error(`no query parameter is called ${name}`)
  const [type, description] = known
  return { name, in: 'query', description, schema: { type, uniqueItems: true } }
}

function path(name: string, description: string): Parameter {
  return { name, in: 'path', description, required: true, schema: { type: 'string', uniqueItems: true } }
}
