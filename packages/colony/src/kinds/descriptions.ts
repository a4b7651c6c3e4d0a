// The texts of `kubectl explain` for the colony's kinds, by the path of each field. A test checks that every field has one.

import { graphDescriptions, partDescriptions } from './graph-descriptions.ts'
import { scheduleDescriptions } from './schedule-descriptions.ts'
import type { Schema } from './schema-parts.ts'

export type Descriptions = Readonly<Record<string, string>>

const CONDITIONS: Descriptions = {
  'status.conditions': 'The current conditions, one for each type.',
  'status.conditions.type': 'The type of the condition, such as Ready.',
  'status.conditions.status': 'True, False or Unknown.',
  'status.conditions.reason': 'Why the condition has this status: one word in CamelCase, for programs.',
  'status.conditions.message': 'Why the condition has this status, for people.',
  'status.conditions.lastTransitionTime': 'When the status of the condition last changed.',
  'status.conditions.observedGeneration': 'The generation of the object that the condition was written for.',
}

const PROCESS: Descriptions = {
  '': 'A unit of work for an executor, from its submission to its end.',
  spec: 'The function to call, which executors may run it, and its limits. Only cancel and priority can be changed later.',
  'spec.funcName': 'The name of the function that the executor calls.',
  'spec.args': 'Positional arguments of the function: any JSON.',
  'spec.kwargs': 'Named arguments of the function. A Process that was made for a resource has the resource here.',
  'spec.env': 'Environment variables for the programs that the function starts.',
  'spec.label': 'A label for people; it has no effect.',
  'spec.priority':
    'From -50000 to 50000, default 0. A higher priority is assigned first; one step counts as much as a day of waiting.',
  'spec.maxWaitSeconds':
    'The Process fails when no executor takes it within this time. If absent or 0, it waits without a limit.',
  'spec.maxExecSeconds':
    'An attempt that takes longer is ended and counts as failed. If absent or 0, there is no limit.',
  'spec.maxRetries': 'How many failed attempts are retried. Default 3; -1 means without a limit.',
  'spec.concurrencyKey': 'Processes of a namespace with the same key never run at the same time.',
  'spec.conditions': 'Which executors may run the Process.',
  'spec.conditions.executorType': 'Only executors of this type.',
  'spec.conditions.executorNames': 'Only executors with one of these names.',
  'spec.conditions.location': 'Only executors at this location. Upper and lower case are equal.',
  'spec.conditions.software':
    'Only executors whose capabilities.software has all of these, or that list none. Upper and lower case are equal.',
  'spec.conditions.cpu': 'The CPU that the executor must have free, as a quantity such as 2 or 500m.',
  'spec.conditions.memory': 'The memory that the executor must have free, as a quantity such as 1Gi.',
  'spec.cancel': 'Set to true to cancel the Process. This cannot be taken back.',
  'spec.ttlSecondsAfterFinished': 'The Process is deleted this long after its end. If absent, it is kept.',
  'spec.inputFrom':
    'The Processes whose outputs are its input, in order; empty for a node of a graph without a Process. The colony writes it.',
  status: 'The state of the Process. The colony writes it.',
  'status.phase': 'Waiting, Running, Succeeded, Failed or Cancelled.',
  'status.submittedAt':
    'When the Process was submitted, in microseconds. Processes of equal priority are assigned in this order.',
  'status.attempt':
    'The number of the current or last attempt; 0 before the first. An executor must give it when it closes the Process.',
  'status.retries': 'How many failed attempts were retried. Never more than maxRetries.',
  'status.pastAttempts': 'The attempts that failed and were retried, the oldest first: the last ten.',
  'status.pastAttempts.attempt': 'The number of the attempt.',
  'status.pastAttempts.executor': 'The executor that had the attempt.',
  'status.pastAttempts.startedAt': 'When the attempt was assigned.',
  'status.pastAttempts.finishedAt': 'When the attempt ended.',
  'status.pastAttempts.error': 'The beginning of its first error.',
  'status.executor': 'The executor that runs the Process, or ran it last.',
  'status.notBefore': 'The Process is not assigned before this time.',
  'status.waitDeadline': 'The Process fails when no executor takes it before this time.',
  'status.execDeadline': 'The attempt is ended at this time and counts as failed.',
  'status.startedAt': 'When the attempt was assigned.',
  'status.finishedAt': 'When the Process ended.',
  'status.input':
    'The outputs of the Processes in spec.inputFrom, in order. Only in the response to an assign, and only up to 1 MiB.',
  'status.addedNodes': 'The nodes that the Process has added to its graph.',
  'status.output': 'The return value of the function, at most 256 KiB as JSON.',
  'status.errors': 'Why the last attempt failed.',
  ...CONDITIONS,
  'status.conditions':
    'Complete or Failed when the Process has ended (Failed also when it was cancelled); SetAside when the colony cannot read it.',
}

const EXECUTOR: Descriptions = {
  '': 'A program that pulls Processes from the queue and runs them. It registers itself; its Lease has the time of its last call.',
  spec: 'What the executor is and can run. The executor writes it.',
  'spec.type': 'The type of executor, which Processes name in spec.conditions.executorType.',
  'spec.serviceAccountName':
    'The service account of the executor. An account that registers itself is recorded here; it cannot change it, nor the type.',
  'spec.functions': 'The functions that it has. If there are any, it gets Processes for these only.',
  'spec.location': 'Where the executor runs. Processes can demand a location.',
  'spec.capabilities': 'Free-form facts. The Processes that it runs share its cpu and memory.',
  'spec.ttlSecondsAfterLost': 'The object is deleted this long after the executor was lost. If absent, it is kept.',
  status: 'Whether the executor is connected. The colony writes it.',
  'status.phase': 'Online, Lost after 30 seconds without a call, or Pending until somebody approves it.',
}

const DEFINITION: Descriptions = {
  '': 'Defines a kind whose resources executors reconcile. The colony creates a CustomResourceDefinition from it.',
  spec: 'The kind, and the executors that reconcile its resources.',
  'spec.group': 'The API group of the kind.',
  'spec.version': 'The version in which its resources are stored, such as v1.',
  'spec.versions':
    'Further versions, or all of them. A version that was served stays served until an entry here has served: false.',
  'spec.versions.name': 'The version, such as v1beta1.',
  'spec.versions.served': 'Whether the API has it. Default: true.',
  'spec.versions.storage': 'Whether resources are stored in it: one version, if spec.version names none.',
  'spec.versions.schema':
    'A JSON schema for the spec of its resources in this version. If absent, any spec is allowed.',
  'spec.names': 'The names of the kind.',
  'spec.names.kind': 'The name in objects, such as Database.',
  'spec.names.plural':
    'The name in URLs, such as databases. The name of this definition is this name, a dot and the group.',
  'spec.names.singular': 'The singular name for the command line. Default: the kind in lower case.',
  'spec.names.listKind': 'The kind of its lists. Default: the kind with the suffix List.',
  'spec.names.shortNames': 'Abbreviations for the command line.',
  'spec.scope': 'Namespaced (the default) or Cluster.',
  'spec.schema': 'A JSON schema for the spec of its resources in spec.version. If absent, any spec is allowed.',
  'spec.handler': 'Which executors reconcile its resources: every change becomes a Process for them.',
  'spec.handler.executorType':
    'The type of executor. With the type composite, the colony itself creates the components that a resource lists.',
  'spec.handler.functionName': 'The function that is called, with the resource as its named arguments.',
  'spec.handler.reconcileInterval':
    'Seconds after which a resource is reconciled again without a change. If absent or 0, only changes are reconciled.',
  'spec.handler.location': 'Only executors at this location.',
  'spec.handler.locationFrom':
    'Paths into a resource, such as .spec.location: the first that leads to a text is the location instead.',
  'spec.handler.softwareFrom':
    'Paths into a resource, such as .spec.runtime: the first that leads to a text is software that the executor must have.',
  status: 'Whether the kind is served. The colony writes it.',
  'status.observedGeneration': 'The generation that the conditions were written for.',
  ...CONDITIONS,
  'status.conditions':
    'Accepted: whether a CustomResourceDefinition could be created from it. Established: whether its kind is served.',
}

const BOOTSTRAP_TOKEN: Descriptions = {
  '': 'Lets new executors join the colony: each use is traded for an account and a token of its own.',
  spec: 'How many executors may join, until when, and with which rights.',
  'spec.executorType': 'The type of the executors that join.',
  'spec.uses': 'How many executors may join.',
  'spec.expiresAt': 'No executor joins after this time.',
  'spec.approval': 'Whether an executor that joined waits until somebody approves it. Default false.',
  'spec.children': 'The kinds of children that these executors may report, as resource or resource.group.',
  status: 'What was used. The colony writes it.',
  'status.used': 'How many uses were taken.',
  'status.executors': 'The names of the executors that joined.',
}

export const DESCRIPTIONS: Readonly<Record<string, Descriptions>> = {
  Process: PROCESS,
  ProcessGraph: graphDescriptions(PROCESS, CONDITIONS),
  ProcessGraphPart: partDescriptions(PROCESS),
  Schedule: scheduleDescriptions(PROCESS),
  Executor: EXECUTOR,
  BootstrapToken: BOOTSTRAP_TOKEN,
  ResourceDefinition: DEFINITION,
  CustomResourceDefinition: DEFINITION,
}

/** Adds the texts to the schema. Items of a list have the path of the list. */
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
