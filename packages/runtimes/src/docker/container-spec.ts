// Builds the request that creates a unit's container: name, labels and the rest. Pure. A later driver with the same owner
// finds the container by its labels.

import { HOST_NAME } from '../account-folder.ts'
import type { PublishedPort, Unit } from '../runtime.ts'

export const OWNER = 'homeostat.dev/runtime-owner'
const UNIT = 'homeostat.dev/unit'
/** The keys of the unit's own labels, since a container also has the labels of its image. */
const LABEL_KEYS = 'homeostat.dev/unit-labels'
const OWN = [OWNER, UNIT, LABEL_KEYS]

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/
const OWNER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/

export interface ContainerSpec {
  readonly Image: string
  readonly Entrypoint?: readonly string[]
  readonly Cmd?: readonly string[]
  readonly Env: readonly string[]
  readonly WorkingDir?: string
  readonly Labels: Readonly<Record<string, string>>
  readonly StopTimeout: number
  readonly ExposedPorts?: Readonly<Record<string, object>>
  readonly HostConfig: object
}

export function checkedOwner(owner: string): string {
  if (OWNER_NAME.test(owner)) return owner
  throw new Error(`"${owner}" cannot be an owner of containers: use up to 63 letters, digits, dashes and underscores`)
}

/** An owner has no dots, so that no two units of any owners share a name. */
export function containerName(owner: string, unit: string): string {
  if (!NAME.test(unit)) {
    throw new Error(`"${unit}" cannot be the name of a unit: use up to 200 letters, digits, dots, dashes, underscores`)
  }
  return `${owner}.${unit}`
}

export function containerSpec(unit: Unit, owner: string, logLimitBytes: number): ContainerSpec {
  const {
    name,
    image,
    command = [],
    args = [],
    env = {},
    workingDir,
    graceSeconds = 30,
    hostNetwork,
    reachesHost,
    ports = [],
    limits = {},
  } = unit
  if (!image) throw new Error(`unit ${name} has no image: the docker runtime needs one`)
  const taken = Object.keys(unit.labels).find((key) => OWN.includes(key))
  if (taken !== undefined) throw new Error(`the label ${taken} is the docker runtime’s own: use another`)
  return {
    Image: image,
    // As in Kubernetes: a command without arguments does not get those of the image, arguments alone go to its command.
    ...(command.length > 0 && { Entrypoint: command }),
    ...(args.length > 0 && { Cmd: args }),
    Env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
    ...(workingDir && { WorkingDir: workingDir }),
    Labels: {
      ...unit.labels,
      [OWNER]: owner,
      [UNIT]: name,
      [LABEL_KEYS]: JSON.stringify(Object.keys(unit.labels)),
    },
    StopTimeout: Math.ceil(graceSeconds),
    ...(ports.length > 0 && { ExposedPorts: Object.fromEntries(ports.map((port) => [portName(port), {}])) }),
    HostConfig: {
      Mounts: (unit.mounts ?? []).map(({ source, target, readOnly = false }) => ({
        Type: 'bind',
        Source: source,
        Target: target,
        ReadOnly: readOnly,
      })),
      LogConfig: { Type: 'json-file', Config: { 'max-size': String(logLimitBytes), 'max-file': '2' } },
      ...(ports.length > 0 && { PortBindings: portBindings(ports) }),
      ...(limits.cpu !== undefined && { NanoCpus: Math.round(limits.cpu * 1e9) }),
      ...(limits.memory !== undefined && { Memory: Math.round(limits.memory) }),
      ...(hostNetwork === true && { NetworkMode: 'host' }),
      ...(reachesHost === true && hostNetwork !== true && { ExtraHosts: [`${HOST_NAME}:host-gateway`] }),
    },
  }
}

function portName({ containerPort, protocol = 'tcp' }: PublishedPort): string {
  return `${containerPort}/${protocol}`
}

/** Loopback unless the unit says otherwise: the engine's own default is every address of the machine. */
function portBindings(ports: readonly PublishedPort[]): Record<string, object[]> {
  const bindings: Record<string, object[]> = {}
  for (const port of ports) {
    const { hostIP = '127.0.0.1', hostPort } = port
    const binding = { HostIp: hostIP, HostPort: hostPort === undefined ? '' : String(hostPort) }
    bindings[portName(port)] = [...(bindings[portName(port)] ?? []), binding]
  }
  return bindings
}

/** What `containerSpec` wrote; undefined for a container that is not this owner's. */
export function unitOfLabels(
  labels: Readonly<Record<string, string>>,
  owner: string,
): { readonly name: string; readonly labels: Record<string, string> } | undefined {
  const name = labels[UNIT]
  if (labels[OWNER] !== owner || name === undefined) return undefined
  const own = keysOf(labels[LABEL_KEYS]).flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]]]))
  return { name, labels: Object.fromEntries(own) }
}

/** The filter of a list request: containers of this owner with these labels. */
export function labelFilter(owner: string, labels: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...labels, [OWNER]: owner }).map(([key, value]) => `${key}=${value}`)
}

function keysOf(text = '[]'): string[] {
  try {
    const keys: unknown = JSON.parse(text)
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}
