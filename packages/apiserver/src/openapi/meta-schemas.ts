// Schemas that every document may reference: metadata, Status, delete options, Scale. `kubectl explain` prints their
// descriptions. A document includes those that it references, directly or through another.

import { describedRef, META_PREFIX, metaName, ref, SCALE } from './component-name.ts'

export type Schema = Readonly<Record<string, unknown>>

const text = (description: string): Schema => ({ type: 'string', description })
const flag = (description: string): Schema => ({ type: 'boolean', description })
const whole = (format: 'int32' | 'int64', description: string): Schema => ({ type: 'integer', format, description })
const map = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string', default: '' },
})
const list = (items: Schema, description: string, extra: Schema = { 'x-kubernetes-list-type': 'atomic' }): Schema => ({
  type: 'array',
  description,
  items,
  ...extra,
})
const time = (description: string): Schema => describedRef(metaName('Time'), description)
const item = (name: string): Schema => ({ allOf: [ref(metaName(name))], default: {} })

export const API_VERSION = text(
  'APIVersion defines in which group and version the object is written, such as example.com/v1.',
)
export const KIND = text('The kind of the object, in CamelCase, such as ConfigMap.')
const STRINGS: Schema = { type: 'string', default: '' }

const OBJECT_META: Schema = {
  description: 'What every stored object has: its identity, its labels, and its life cycle.',
  type: 'object',
  properties: {
    annotations: map('Free-form notes by tools and people. They cannot be selected by.'),
    creationTimestamp: time('CreationTimestamp is a timestamp that the server sets when it creates the object.'),
    deletionGracePeriodSeconds: whole('int64', 'How long a requested deletion may take. Set by the server.'),
    deletionTimestamp: time('When deletion was asked for. The object stays until its finalizers are gone.'),
    finalizers: list(STRINGS, 'Names of those who must finish before the object may vanish.', {
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    }),
    generateName: text('A prefix from which the server makes a unique name when name is empty.'),
    generation: whole('int64', 'Rises with every change of the desired state. Set by the server.'),
    labels: map('Keys and values to group and select objects by.'),
    managedFields: list(item('ManagedFieldsEntry'), 'Which manager set which fields. Kept by the server.'),
    name: text('The name, unique among objects of this kind in the namespace. It cannot be changed.'),
    namespace: text('The namespace the object lives in. Empty for kinds that belong to the whole cluster.'),
    ownerReferences: list(item('OwnerReference'), 'Objects this one depends on. It is deleted when all are gone.', {
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    }),
    resourceVersion: text('Changes with every write. Send it back to replace exactly the object that was read.'),
    selfLink: text('No longer set.'),
    uid: text('Unlike the name never used twice. Set by the server.'),
  },
}

const LIST_META: Schema = {
  description: 'What every list has: the version it shows, and how to get the rest of it.',
  type: 'object',
  properties: {
    continue: text('A token for the next page; empty on the last.'),
    remainingItemCount: whole('int64', 'How many objects come after this page, where that is known.'),
    resourceVersion: text('The version of the whole list. A watch can start from it.'),
    selfLink: text('No longer set.'),
  },
}

const OWNER_REFERENCE: Schema = {
  description: 'Names an owner in the same namespace, or one that belongs to the whole cluster.',
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: { ...text('Group and version of the owner.'), default: '' },
    blockOwnerDeletion: flag('With foreground deletion, the owner waits for this object to be gone.'),
    controller: flag('Whether the owner is the one controller that manages this object.'),
    kind: { ...text('Kind of the owner.'), default: '' },
    name: { ...text('Name of the owner.'), default: '' },
    uid: { ...text('Uid of the owner; another object of the same name is not meant.'), default: '' },
  },
  'x-kubernetes-map-type': 'atomic',
}

const MANAGED_FIELDS_ENTRY: Schema = {
  description: 'The fields that one manager set with one kind of operation.',
  type: 'object',
  properties: {
    apiVersion: text('The version of the object in which the fields are named.'),
    fieldsType: text('The format of the field set; FieldsV1 is the only one.'),
    fieldsV1: describedRef(metaName('FieldsV1'), 'The field set.'),
    manager: text('Who set the fields.'),
    operation: text('How they were set: Apply or Update.'),
    subresource: text('The subresource they were set through, if any.'),
    time: time('When the set last changed.'),
  },
}

const DELETE_OPTIONS: Schema = {
  description: 'How an object shall be deleted.',
  type: 'object',
  properties: {
    apiVersion: API_VERSION,
    dryRun: list(STRINGS, 'With All, the deletion is checked and nothing is deleted.'),
    gracePeriodSeconds: whole('int64', 'Seconds to wait before the object is deleted; 0 deletes at once.'),
    ignoreStoreReadErrorWithClusterBreakingPotential: flag('Deletes an object even if it cannot be read.'),
    kind: KIND,
    orphanDependents: flag('Older form of propagationPolicy: true is Orphan, false is Background.'),
    preconditions: describedRef(metaName('Preconditions'), 'What must hold, or the object is not deleted.'),
    propagationPolicy: text('What happens to dependents: Orphan, Background or Foreground.'),
  },
  'x-kubernetes-group-version-kind': [{ group: '', kind: 'DeleteOptions', version: 'v1' }],
}

const STATUS: Schema = {
  description: 'The answer to a request that returns no object: what went wrong, or that it worked.',
  type: 'object',
  properties: {
    apiVersion: API_VERSION,
    code: whole('int32', 'The HTTP status.'),
    details: describedRef(metaName('StatusDetails'), 'What the answer is about.'),
    kind: KIND,
    message: text('What happened, for people.'),
    metadata: { ...describedRef(metaName('ListMeta'), 'Set for answers about lists.'), default: {} },
    reason: text('One word for programs, such as NotFound or Conflict.'),
    status: text('Success or Failure.'),
  },
  'x-kubernetes-group-version-kind': [{ group: '', kind: 'Status', version: 'v1' }],
}

const STATUS_DETAILS: Schema = {
  description: 'Which object an answer is about, and the single causes of a failure.',
  type: 'object',
  properties: {
    causes: list(item('StatusCause'), 'Everything that was wrong.'),
    group: text('Group of the object.'),
    kind: text('Kind or resource of the object.'),
    name: text('Name of the object.'),
    retryAfterSeconds: whole('int32', 'When to try again.'),
    uid: text('Uid of the object.'),
  },
}

const STATUS_CAUSE: Schema = {
  description: 'One thing that was wrong.',
  type: 'object',
  properties: {
    field: text('Path of the field, such as spec.ports[0].name.'),
    message: text('What is wrong with it, for people.'),
    reason: text('One word for programs, such as FieldValueRequired.'),
  },
}

const PRECONDITIONS: Schema = {
  description: 'What the stored object must still be.',
  type: 'object',
  properties: { resourceVersion: text('Its version.'), uid: text('Its uid.') },
}

const SCALE_KIND: Schema = {
  description: 'How many replicas an object shall have and has, whatever its kind.',
  type: 'object',
  properties: {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { ...describedRef(metaName('ObjectMeta'), 'Metadata of the scaled object.'), default: {} },
    spec: { ...describedRef(`${SCALE}Spec`, 'What is wanted.'), default: {} },
    status: { ...describedRef(`${SCALE}Status`, 'What is there.'), default: {} },
  },
  'x-kubernetes-group-version-kind': [{ group: 'autoscaling', kind: 'Scale', version: 'v1' }],
}

const SCALE_SPEC: Schema = {
  description: 'The wanted scale.',
  type: 'object',
  properties: { replicas: { ...whole('int32', 'The wanted number of replicas.'), default: 0 } },
}

const SCALE_STATUS: Schema = {
  description: 'The present scale.',
  type: 'object',
  required: ['replicas'],
  properties: {
    replicas: { ...whole('int32', 'The present number of replicas.'), default: 0 },
    selector: text('A label selector for the replicas, as text.'),
  },
}

/** By component name. */
export const SHARED_SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  [`${META_PREFIX}ObjectMeta`, OBJECT_META],
  [`${META_PREFIX}ListMeta`, LIST_META],
  [`${META_PREFIX}OwnerReference`, OWNER_REFERENCE],
  [`${META_PREFIX}ManagedFieldsEntry`, MANAGED_FIELDS_ENTRY],
  [`${META_PREFIX}DeleteOptions`, DELETE_OPTIONS],
  [`${META_PREFIX}Preconditions`, PRECONDITIONS],
  [`${META_PREFIX}Status`, STATUS],
  [`${META_PREFIX}StatusDetails`, STATUS_DETAILS],
  [`${META_PREFIX}StatusCause`, STATUS_CAUSE],
  [`${META_PREFIX}FieldsV1`, { type: 'object', description: 'A set of fields, as a tree with keys such as f:spec.' }],
  [`${META_PREFIX}Patch`, { type: 'object', description: 'A change to an object, in the format of the content type.' }],
  [`${META_PREFIX}Time`, { type: 'string', format: 'date-time', description: 'A moment, to the second.' }],
  [`${META_PREFIX}MicroTime`, { type: 'string', format: 'date-time', description: 'A moment, to the microsecond.' }],
  [SCALE, SCALE_KIND],
  [`${SCALE}Spec`, SCALE_SPEC],
  [`${SCALE}Status`, SCALE_STATUS],
])
