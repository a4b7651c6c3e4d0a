// What `kubectl explain` says of the colony's kinds, by the path of each field. A test asks that every field has its text.

import type { Schema } from './schema-parts.ts'

export type Descriptions = Readonly<Record<string, string>>

const CONDITIONS: Descriptions = {
  'status.conditions': 'What is true of it now, one entry for each type.',
  'status.conditions.type': 'What the condition is about.',
  'status.conditions.status': 'True, False or Unknown.',
  'status.conditions.reason': 'One word for programs: why it has this status.',
  'status.conditions.message': 'The same for people.',
  'status.conditions.lastTransitionTime': 'When the status last changed.',
  'status.conditions.observedGeneration': 'The generation of the object that the condition was written for.',
}

const PROCESS: Descriptions = {
  '': 'One piece of work for an executor, from being submitted to its end.',
  spec: 'What is to be done, by whom, and how long that may take. Only cancel and priority can be changed later.',
  'spec.funcName': 'The function of the executor that is called.',
  'spec.args': 'Arguments of the function, in order: any JSON.',
  'spec.kwargs': 'Arguments by name. For a Process of a resource: the resource itself.',
  'spec.env': 'Variables for whatever the function starts.',
  'spec.label': 'A word for people.',
  'spec.priority': '-50000 to 50000, default 0. Higher comes first; one step counts as much as a day of waiting.',
  'spec.maxWaitSeconds': 'It fails when nobody has taken it after so long. Absent or 0: it waits for ever.',
  'spec.maxExecSeconds': 'An attempt that takes longer ends, and counts as failed. Absent or 0: as long as it takes.',
  'spec.maxRetries': 'How often it is tried again after a failed attempt. Default 3; -1: without a limit.',
  'spec.concurrencyKey': 'Two Processes of a namespace with the same key never run at once.',
  'spec.conditions': 'Who may run it.',
  'spec.conditions.executorType': 'Only executors of this type.',
  'spec.conditions.executorNames': 'Only executors with one of these names.',
  'spec.conditions.location': 'Only executors at this location; case does not count.',
  'spec.conditions.cpu': 'What the executor must have free, as a quantity: 2 or 500m.',
  'spec.conditions.memory': 'What the executor must have free, as a quantity: 1Gi.',
  'spec.cancel': 'Asks for its end. Cannot be taken back.',
  'spec.ttlSecondsAfterFinished': 'It is deleted so long after its end. Absent: it is kept.',
  status: 'Where it stands. Written by the colony.',
  'status.phase': 'Waiting, Running, Succeeded, Failed or Cancelled.',
  'status.submittedAt': 'When it was submitted, to the microsecond: the order among Processes of one priority.',
  'status.attempt': 'Rises with each assignment; whoever closes the Process must name it. 0 before the first.',
  'status.retries': 'How often it was put back after a failed attempt. Ends at maxRetries.',
  'status.executor': 'Who has it, or had it last.',
  'status.notBefore': 'It is not assigned before this time.',
  'status.waitDeadline': 'It fails when nobody has taken it by then.',
  'status.execDeadline': 'The attempt ends at this time.',
  'status.startedAt': 'When the attempt was assigned.',
  'status.finishedAt': 'When it ended.',
  'status.input': 'Reserved for what other Processes hand on.',
  'status.output': 'What the function answered, at most 256 KiB as JSON.',
  'status.errors': 'Why the last attempt failed.',
  ...CONDITIONS,
  'status.conditions':
    'Complete or Failed when it has ended (Failed also when it was cancelled); SetAside when it cannot be handled.',
}

const EXECUTOR: Descriptions = {
  '': 'A program that takes Processes from the queue and runs them. It registers itself; its Lease has its last sign of life.',
  spec: 'What the executor says of itself.',
  'spec.type': 'Processes name the type of executor that may run them.',
  'spec.functions': 'What it can do. When there are any, it gets no other Processes.',
  'spec.location': 'Where it is. Processes may ask for it.',
  'spec.capabilities': 'Free words and figures. cpu and memory are what its Processes share.',
  'spec.ttlSecondsAfterLost': 'The object is deleted so long after the executor was lost. Absent: it is kept.',
  status: 'Whether it is there. Written by the colony.',
  'status.phase': 'Online, or Lost after 30 seconds without a sign of life.',
}

const DEFINITION: Descriptions = {
  '': 'Defines a kind whose resources executors look after. The colony makes a CustomResourceDefinition of it.',
  spec: 'The kind, and who handles its resources.',
  'spec.group': 'The API group of the kind.',
  'spec.version': 'Its version, such as v1.',
  'spec.names': 'How the kind is called.',
  'spec.names.kind': 'Its name in objects, such as Database.',
  'spec.names.plural': 'Its name in URLs, such as databases. With the group it is the name of this definition.',
  'spec.names.singular': 'For the command line. Default: the kind in lower case.',
  'spec.names.listKind': 'The kind of its lists. Default: the kind and List.',
  'spec.names.shortNames': 'Abbreviations for the command line.',
  'spec.scope': 'Namespaced (the default) or Cluster.',
  'spec.schema': 'A JSON schema of the spec of its resources. Absent: anything may be in it.',
  'spec.handler': 'Who makes its resources true: every change becomes a Process for these executors.',
  'spec.handler.executorType':
    'The type of executor. composite: the colony itself makes the parts that a resource lists.',
  'spec.handler.functionName': 'The function that is called, with the resource as its arguments by name.',
  'spec.handler.reconcileInterval':
    'Seconds between runs for a resource that does not change. Absent or 0: only changes bring runs.',
  'spec.handler.location': 'Only executors at this location.',
  status: 'What became of the definition. Written by the colony.',
  'status.observedGeneration': 'The generation that the conditions are about.',
  ...CONDITIONS,
  'status.conditions': 'Accepted: whether a kind was made of it. Established: whether that is served.',
}

export const DESCRIPTIONS: Readonly<Record<string, Descriptions>> = {
  Process: PROCESS,
  Executor: EXECUTOR,
  ResourceDefinition: DEFINITION,
  CustomResourceDefinition: DEFINITION,
}

/** The schema with the texts in it. Items of a list have the path of the list. */
export function described(schema: Schema, texts: Descriptions, path = ''): Schema {
  const { properties, items } = schema as { properties?: Readonly<Record<string, Schema>>; items?: Schema }
  const inner = (name: string) => (path === '' ? name : `${path}.${name}`)
  return {
    ...(texts[path] !== undefined && { description: texts[path] }),
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, described(one, texts, inner(name))]),
      ),
    }),
    ...(items && { items: withoutText(described(items, texts, path)) }),
  }
}

function withoutText({ description: _, ...schema }: Schema): Schema {
  return schema
}
