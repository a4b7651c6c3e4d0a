// Builds the environment of a container, with values from config maps, secrets and its own pod. The caller reads the
// objects; a value that cannot be resolved is an error that names the variable and the reason.

import type { ApiObject } from '@homeostat/client'
import type { Container, EnvFrom, EnvVar, Pod } from '../kinds.ts'
import { expand } from './expand.ts'

export interface DataObject extends ApiObject {
  data?: Record<string, string>
  binaryData?: Record<string, string>
}

/** Reads from the pod's namespace; undefined when the object does not exist. */
export type ReadData = (kind: 'ConfigMap' | 'Secret', name: string) => Promise<DataObject | undefined>

export async function containerEnv(pod: Pod, container: Container, read: ReadData): Promise<Record<string, string>> {
  const env: Record<string, string> = {}
  for (const source of container.envFrom ?? []) Object.assign(env, await allOf(source, read))
  for (const variable of container.env ?? []) {
    const value = variable.valueFrom ? await valueFrom(pod, variable, read) : expand(variable.value ?? '', env)
    if (value !== undefined) env[variable.name] = value
  }
  return env
}

async function allOf(
  { prefix = '', configMapRef, secretRef }: EnvFrom,
  read: ReadData,
): Promise<Record<string, string>> {
  const [kind, ref] = secretRef ? (['Secret', secretRef] as const) : (['ConfigMap', configMapRef ?? {}] as const)
  const data = await dataOf(kind, ref.name ?? '', ref.optional === true, read)
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [`${prefix}${key}`, value]))
}

async function valueFrom(pod: Pod, { name, valueFrom = {} }: EnvVar, read: ReadData): Promise<string | undefined> {
  const { configMapKeyRef, secretKeyRef, fieldRef, resourceFieldRef } = valueFrom
  if (fieldRef) return fieldOf(pod, fieldRef.fieldPath, name)
  if (resourceFieldRef) throw new Error(`env ${name}: resourceFieldRef is not supported here; write the value itself`)
  const [kind, ref] = secretKeyRef ? (['Secret', secretKeyRef] as const) : (['ConfigMap', configMapKeyRef] as const)
  if (!ref) throw new Error(`env ${name}: this kind of valueFrom is not supported here; write the value itself`)
  const data = await dataOf(kind, ref.name ?? '', ref.optional === true, read)
  const value = data?.[ref.key]
  if (value !== undefined || ref.optional === true) return value
  throw new Error(`couldn't find key ${ref.key} in ${kind} ${pod.metadata.namespace}/${ref.name}`)
}

async function dataOf(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  optional: boolean,
  read: ReadData,
): Promise<Record<string, string> | undefined> {
  const object = await read(kind, name)
  if (!object) {
    if (optional) return undefined
    throw new Error(`${kind.toLowerCase()} "${name}" not found`)
  }
  const { data = {} } = object
  if (kind === 'ConfigMap') return data
  const texts = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')])
  return Object.fromEntries(texts)
}

function fieldOf({ metadata, spec }: Pod, path: string, variable: string): string {
  const entry = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path)
  if (entry) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2] ?? ''] ?? ''
  const fields: Record<string, string | undefined> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.nodeName': spec?.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
  }
  const value = fields[path]
  if (value !== undefined) return value
  throw new Error(`env ${variable}: the field ${path} is not known here; ${Object.keys(fields).join(', ')} are`)
}
