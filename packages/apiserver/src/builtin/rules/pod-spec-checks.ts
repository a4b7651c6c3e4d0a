// Validates a pod spec, in a pod or in a template.

import { dns1123Subdomain, isObject } from '@homeostat/meta'
import { type Cause, duplicate, forbiddenField, invalidValue, required, tooLong } from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { addressErrors } from './addresses.ts'
import { affinityErrors } from './affinity-checks.ts'
import {
  type ContainerScope,
  containerErrors,
  ephemeralOnlyErrors,
  hostPortErrors,
  isSidecar,
  restartErrors,
} from './container-checks.ts'
import { fileVolumeErrors } from './env-checks.ts'
import {
  choice,
  dnsLabel,
  dnsSubdomain,
  inRange,
  isSet,
  items,
  messages,
  numberOf,
  optionalChoice,
  requiredName,
} from './field-checks.ts'
import { labelErrors } from './label-checks.ts'
import { dnsConfigErrors } from './pod-dns-checks.ts'
import { podTotalErrors } from './pod-resources.ts'
import { CONTAINER_LISTS } from './pod-spec-defaults.ts'
import { lifecycleErrors, PROBES, probeErrors } from './probe-checks.ts'
import { amountErrors, containerResourceName, podResourceName, resourceErrors } from './resource-checks.ts'
import { gateErrors, spreadErrors, tolerationErrors } from './scheduling-checks.ts'
import { hostUsersErrors, podSecurityErrors } from './security-checks.ts'
import { checkVolumes, type VolumeOwner } from './volume-checks.ts'

export function podSpecErrors(spec: Fields, path: string, owner: VolumeOwner): Cause[] {
  const volumes = checkVolumes(spec.volumes, `${path}.volumes`, owner)
  const scope: ContainerScope = {
    volumes: volumes.good,
    claims: items(spec.resourceClaims, '').map(({ item }) => textOf(item.name)),
    restartPolicy: spec.restartPolicy,
    hostUsers: spec.hostUsers !== false,
  }
  return [
    ...volumes.causes,
    ...claimErrors(spec.resourceClaims, `${path}.resourceClaims`),
    ...mainContainerErrors(spec, `${path}.containers`, scope),
    ...initContainerErrors(spec, `${path}.initContainers`, scope),
    ...ephemeralContainerErrors(spec, `${path}.ephemeralContainers`, scope),
    ...podResourceErrors(spec, `${path}.resources`, scope),
    ...hostNetworkErrors(spec, path, owner),
    ...choice(`${path}.restartPolicy`, spec.restartPolicy, RESTART_POLICIES),
    ...choice(`${path}.dnsPolicy`, spec.dnsPolicy, DNS_POLICIES),
    ...labelErrors(`${path}.nodeSelector`, spec.nodeSelector),
    ...podSecurityErrors(spec, path),
    ...affinityErrors(spec.affinity, `${path}.affinity`),
    ...dnsConfigErrors(spec, `${path}.dnsConfig`),
    ...gateErrors(spec, path),
    ...spreadErrors(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...hostUsersErrors(spec, path),
    ...hostNameErrors(spec, path),
    ...scalarErrors(spec, path),
    ...tolerationErrors(spec.tolerations, `${path}.tolerations`),
    ...hostAliasErrors(spec.hostAliases, `${path}.hostAliases`),
    ...overheadErrors(spec.overhead, `${path}.overhead`),
    ...osErrors(spec, path),
    ...fileEnvErrors(spec, path),
  ]
}

export const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']

function graceOf(spec: Fields): number | undefined {
  return isSet(spec.terminationGracePeriodSeconds) ? numberOf(spec.terminationGracePeriodSeconds) : undefined
}

function mainContainerErrors(spec: Fields, path: string, scope: ContainerScope): Cause[] {
  if (listOf(spec.containers).length === 0) return [required(path)]
  const names = new Set<string>()
  const ports = new Set<string>()
  const all = items(spec.containers, path)
  return [
    ...all.flatMap(({ item, path: at }) => {
      const causes = containerErrors(item, at, scope)
      const name = textOf(item.name)
      if (names.has(name)) causes.push(duplicate(`${at}.name`, name))
      names.add(name)
      causes.push(...lifecycleErrors(item, at, graceOf(spec), spec.os), ...probeErrors(item, at, graceOf(spec)))
      return [...causes, ...restartErrors(item, at)]
    }),
    ...all.flatMap((one) => hostPortErrors(one.item, one.path, ports)),
  ]
}

function initContainerErrors(spec: Fields, path: string, scope: ContainerScope): Cause[] {
  const names = new Set(items(spec.containers, '').map(({ item }) => textOf(item.name)))
  return items(spec.initContainers, path).flatMap(({ item, path: at }) => {
    const causes = [...containerErrors(item, at, scope), ...initRestartErrors(item, at)]
    const name = textOf(item.name)
    if (names.has(name)) causes.push(duplicate(`${at}.name`, name))
    if (name !== '') names.add(name)
    // Host ports are unique within one init container: init containers run one by one. The path is always that of the
    // first container, as in Kubernetes.
    causes.push(...hostPortErrors(item, `${path}[0]`, new Set()))
    if (isSidecar(item)) {
      return [...causes, ...lifecycleErrors(item, at, graceOf(spec), spec.os), ...probeErrors(item, at, graceOf(spec))]
    }
    const deny = 'may not be set for init containers without restartPolicy=Always'
    const denied = ['lifecycle', ...PROBES].filter((key) => isSet(item[key]))
    return [...causes, ...denied.map((key) => forbiddenField(`${at}.${key}`, deny))]
  })
}

function initRestartErrors(container: Fields, path: string): Cause[] {
  if (!isSidecar(container)) return restartErrors(container, path)
  if (listOf(container.restartPolicyRules).length === 0) return []
  const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always'
  return [forbiddenField(`${path}.restartPolicyRules`, detail)]
}

function ephemeralContainerErrors(spec: Fields, path: string, scope: ContainerScope): Cause[] {
  const others = [...items(spec.containers, ''), ...items(spec.initContainers, '')]
  const targets = new Set(others.map(({ item }) => textOf(item.name)))
  const names = new Set(targets)
  return items(spec.ephemeralContainers, path).flatMap(({ item, path: at }) => {
    const causes = [...containerErrors(item, at, scope), ...imageSpaceErrors(item, at)]
    if (names.has(textOf(item.name))) causes.push(duplicate(`${at}.name`, item.name))
    names.add(textOf(item.name))
    return [...causes, ...ephemeralOnlyErrors(item, at, targets)]
  })
}

/** Only a pod's image is checked for spaces: tools may still edit the image of a template. */
export function imageSpaceErrors(container: Fields, path: string): Cause[] {
  const image = textOf(container.image)
  if (image === image.trim()) return []
  return [invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace')]
}

function claimErrors(claims: unknown, path: string): Cause[] {
  const names = new Set<string>()
  return items(claims, path).flatMap(({ item, path: at }) => {
    const name = textOf(item.name)
    const causes = names.has(name) ? [duplicate(`${at}.name`, name)] : requiredName(`${at}.name`, name)
    names.add(name)
    const given = ['resourceClaimName', 'resourceClaimTemplateName'].filter((key) => isSet(item[key]))
    if (given.length !== 1) {
      const detail = 'exactly one of `resourceClaimName`, `resourceClaimTemplateName` must be specified'
      causes.push(invalidValue(at, item, detail))
    }
    return [...causes, ...given.flatMap((key) => dnsSubdomain(`${at}.${key}`, item[key]))]
  })
}

function podResourceErrors(spec: Fields, path: string, scope: ContainerScope): Cause[] {
  if (!isObject(spec.resources)) return []
  const { claims, ...resources } = spec.resources
  const causes = isSet(claims)
    ? [forbiddenField(`${path}.claims`, 'claims may not be set for Resources at pod-level')]
    : []
  return [...causes, ...resourceErrors(resources, path, scope.claims, podResourceName), ...podTotalErrors(spec, path)]
}

function hostNetworkErrors(spec: Fields, path: string, { isPod }: VolumeOwner): Cause[] {
  if (spec.hostNetwork !== true) return []
  return items(spec.containers, `${path}.containers`).flatMap((container) =>
    items(container.item.ports, `${container.path}.ports`).flatMap(({ item, path: at }) => {
      const [host, own] = [numberOf(item.hostPort), numberOf(item.containerPort)]
      if (host === own || (!isPod && host === 0)) return []
      return [invalidValue(`${at}.hostPort`, host, 'must match `containerPort` when `hostNetwork` is true')]
    }),
  )
}

function hostNameErrors(spec: Fields, path: string): Cause[] {
  const name = spec.hostnameOverride
  const at = `${path}.hostnameOverride`
  if (!isSet(name)) return []
  const causes: Cause[] = []
  if (spec.setHostnameAsFQDN === true)
    causes.push(forbiddenField(at, 'may not be specified when setHostnameAsFQDN is true'))
  if (spec.hostNetwork === true) causes.push(forbiddenField(at, 'may not be specified when hostNetwork is true'))
  if (textOf(name).length > 64) causes.push(tooLong(at, 64))
  return [...causes, ...dnsSubdomain(at, name)]
}

function scalarErrors(spec: Fields, path: string): Cause[] {
  const given = (key: string, check: (path: string, value: unknown) => Cause[]) =>
    textOf(spec[key]) === '' ? [] : check(`${path}.${key}`, spec[key])
  return [
    ...given('serviceAccountName', dnsSubdomain),
    ...given('nodeName', dnsSubdomain),
    ...(isSet(spec.activeDeadlineSeconds)
      ? inRange(`${path}.activeDeadlineSeconds`, spec.activeDeadlineSeconds, 1, 2 ** 31 - 1)
      : []),
    ...given('hostname', dnsLabel),
    ...given('subdomain', dnsLabel),
    ...given('priorityClassName', dnsSubdomain),
    ...(isSet(spec.runtimeClassName) ? dnsSubdomain(`${path}.runtimeClassName`, spec.runtimeClassName) : []),
    ...(isSet(spec.preemptionPolicy)
      ? choice(`${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'])
      : []),
  ]
}

function hostAliasErrors(aliases: unknown, path: string): Cause[] {
  return items(aliases, path).flatMap(({ item, path: at }) => [
    ...addressErrors(`${at}.ip`, textOf(item.ip)),
    ...listOf(item.hostnames).flatMap((name, index) =>
      messages(`${at}.hostnames[${index}]`, name, dns1123Subdomain(textOf(name))),
    ),
  ])
}

function overheadErrors(overhead: unknown, path: string): Cause[] {
  return Object.entries(fieldsOf(overhead)).flatMap(([name, value]) => [
    ...containerResourceName(`${path}.limits[${name}]`, name),
    ...amountErrors(`${path}.limits[${name}]`, name, value),
  ])
}

function osErrors(spec: Fields, path: string): Cause[] {
  const { os } = spec
  if (!isObject(os)) return []
  const name = textOf(os.name)
  if (name === '') return [required(`${path}.os.name`, 'cannot be empty')]
  return optionalChoice(`${path}.os`, name, ['linux', 'windows'])
}

function fileEnvErrors(spec: Fields, path: string): Cause[] {
  const volumes = new Map(items(spec.volumes, '').map(({ item }) => [textOf(item.name), item]))
  return CONTAINER_LISTS.flatMap((list) =>
    items(spec[list], `${path}.${list}`).flatMap((one) => fileVolumeErrors(one.item.env, `${one.path}.env`, volumes)),
  )
}
