// Parses the parts of the spec that have several spellings: environment, volumes, and the cluster's namespace. Pure.

import { dns1123Label, isObject } from '@homeostat/meta'
import type { Placement, RuntimeName, Volume } from './deployment-spec.ts'
import type { Fields, Places } from './spec-places.ts'

const ENV_NAME = /^[^=\0]+$/

/** A map, or a list of `{name, value}`; if several places have it, the more specific one wins. */
export function readEnv(places: Places): Record<string, string> {
  const env: Record<string, string> = {}
  for (const { value, field } of places.all(['env'])) {
    for (const [name, one] of pairs(places, value, field)) {
      if (!ENV_NAME.test(name)) places.problem(field, `"${name}" cannot be the name of a variable`)
      else if (typeof one === 'string') env[name] = one
      else if (typeof one === 'number' || typeof one === 'boolean') env[name] = String(one)
      else places.problem(`${field}.${name}`, 'must be a text')
    }
  }
  return env
}

function pairs(places: Places, value: unknown, field: string): [string, unknown][] {
  if (isObject(value)) return Object.entries(value)
  if (!Array.isArray(value)) {
    places.problem(field, 'must be a map of texts, or a list of {name, value}')
    return []
  }
  return value.flatMap((one: unknown, index): [string, unknown][] => {
    if (isObject(one) && typeof one.name === 'string' && one.valueFrom === undefined)
      return [[one.name, one.value ?? '']]
    places.problem(`${field}[${index}]`, 'must be {name, value}')
    return []
  })
}

export interface Volumes {
  readonly mounts: readonly Volume[]
  /** A volume of Kubernetes: `{name, persistentVolumeClaim: …}`. */
  readonly podVolumes: readonly Fields[]
}

/** `{source, target}`, or `{host, container}`; and for Kubernetes `{name, source: {…}}`. */
export function readVolumes(places: Places, runtime: RuntimeName): Volumes {
  const all: (Volume | { podVolume: Fields } | undefined)[] = []
  for (const { value, field } of places.all(['volumes'])) {
    if (!Array.isArray(value)) places.problem(field, 'must be a list of {source, target}')
    else all.push(...value.map((one: unknown, index) => readVolume(places, runtime, one, `${field}[${index}]`)))
  }
  const found = all.filter((one) => one !== undefined)
  return {
    mounts: found.filter((one) => 'target' in one),
    podVolumes: found.filter((one) => 'podVolume' in one).map(({ podVolume }) => podVolume),
  }
}

function readVolume(
  places: Places,
  runtime: RuntimeName,
  value: unknown,
  field: string,
): Volume | { podVolume: Fields } | undefined {
  const volume = isObject(value) ? value : {}
  if (runtime === 'kubernetes' && typeof volume.name === 'string') {
    const { source, ...others } = volume
    return { podVolume: isObject(source) ? { ...others, ...source } : volume }
  }
  const source = volume.source ?? volume.host
  const target = volume.target ?? volume.container
  if (typeof source !== 'string' || source === '' || typeof target !== 'string' || !target.startsWith('/')) {
    places.problem(field, 'must be {source, target}, the target being a path from the root')
    return undefined
  }
  if (runtime === 'local' && source !== target) {
    const why = 'a local process sees the files of the machine where they are'
    places.problem(field, `${source} cannot be shown as ${target}: ${why}; use one path for both, or docker`)
    return undefined
  }
  return { source, target, ...(typeof volume.readOnly === 'boolean' && { readOnly: volume.readOnly }) }
}

export function readPlacement(places: Places, podVolumes: readonly Fields[]): Placement {
  const namespace = places.text(['namespace'])
  const problems = namespace === undefined ? [] : dns1123Label(namespace)
  if (problems.length > 0) places.problem('spec.config.namespace', `"${namespace}": ${problems.join('; ')}`)
  const kubeconfig = places.text(['kubeconfig'])
  const selector = places.fields('nodeSelector')
  const nodeSelector = Object.fromEntries(Object.entries(selector ?? {}).map(([key, value]) => [key, String(value)]))
  const tolerations = places.list('tolerations')
  const resources = places.fields('resources')
  const volumeMounts = places.list('volumeMounts')
  return {
    ...(namespace !== undefined && { namespace }),
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(selector && { nodeSelector }),
    ...(tolerations && { tolerations }),
    ...(resources && { resources }),
    ...(podVolumes.length > 0 && { podVolumes }),
    ...(volumeMounts && { volumeMounts }),
  }
}
