// Checks the security contexts of pods and containers.

import { isObject } from '@homeostat/meta'
import {
  type Cause,
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '@homeostat/meta/server'
import { type Fields, fieldsOf, listOf, textOf } from '../fields-of.ts'
import { inRange, isSet, items, optionalChoice } from './field-checks.ts'
import { descendingPath } from './path-checks.ts'
import { CONTAINER_LISTS } from './pod-spec-defaults.ts'

const MAX_ID = 2 ** 31 - 1

export function podSecurityErrors(spec: Fields, path: string): Cause[] {
  const context = spec.securityContext
  if (!isObject(context)) return []
  const at = `${path}.securityContext`
  const causes = ['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((key) => idErrors(`${at}.${key}`, context[key]))
  listOf(context.supplementalGroups).forEach((group, index) => {
    causes.push(...idErrors(`${at}.supplementalGroups[${index}]`, group))
  })
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled'
    causes.push(invalidValue(`${at}.shareProcessNamespace`, true, detail))
  }
  return [
    ...causes,
    ...sysctlErrors(spec, context, `${at}.sysctls`),
    ...optionalChoice(`${at}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']),
    ...profileErrors(context, at),
    ...optionalChoice(`${at}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']),
    ...optionalChoice(`${at}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['MountOption', 'Recursive']),
  ]
}

export function containerSecurityErrors(container: Fields, path: string, hostUsers: boolean): Cause[] {
  const context = container.securityContext
  if (!isObject(context)) return []
  const at = `${path}.securityContext`
  const causes = ['runAsUser', 'runAsGroup'].flatMap((key) => idErrors(`${at}.${key}`, context[key]))
  causes.push(...optionalChoice(`${at}.procMount`, context.procMount, ['Default', 'Unmasked']))
  if (hostUsers && context.procMount === 'Unmasked') {
    causes.push(invalidValue(`${at}.procMount`, 'Unmasked', '`hostUsers` must be false to use `Unmasked`'))
  }
  if (context.allowPrivilegeEscalation === false) {
    const deny = 'cannot set `allowPrivilegeEscalation` to false and'
    if (context.privileged === true) causes.push(invalidValue(at, context, `${deny} \`privileged\` to true`))
    for (const capability of listOf(fieldsOf(context.capabilities).add)) {
      if (capability === 'CAP_SYS_ADMIN') {
        causes.push(invalidValue(at, context, `${deny} \`capabilities.Add\` CAP_SYS_ADMIN`))
      }
    }
  }
  return [...causes, ...profileErrors(context, at)]
}

function idErrors(path: string, value: unknown): Cause[] {
  return isSet(value) ? inRange(path, value, 0, MAX_ID) : []
}

function profileErrors(context: Fields, path: string): Cause[] {
  return [
    ...seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
    ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
  ]
}

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined']

function seccompErrors(profile: unknown, path: string): Cause[] {
  if (!isObject(profile)) return []
  const local = profile.localhostProfile
  const causes = typeErrors(profile, path, 'type is required when seccompProfile is set')
  if (profile.type === 'Localhost') {
    if (!isSet(local)) causes.push(required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost'))
    else causes.push(...descendingPath(`${path}.localhostProfile`, textOf(local)))
  } else if (isSet(local)) {
    causes.push(invalidValue(`${path}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost'))
  }
  return causes
}

function appArmorErrors(profile: unknown, path: string): Cause[] {
  if (!isObject(profile)) return []
  const field = `${path}.localhostProfile`
  const local = profile.localhostProfile
  const causes = typeErrors(profile, path, 'type is required when appArmorProfile is set')
  if (profile.type === 'Localhost') {
    const text = textOf(local)
    if (text.trim() === '' && text === text.trim()) {
      causes.push(required(field, 'must be set when AppArmor type is Localhost'))
    } else if (text !== text.trim()) causes.push(invalidValue(field, text, 'must not be padded with whitespace'))
    if (text.length > 4095) causes.push(tooLong(field, 4095))
  } else if (isSet(local) && causes.length === 0) {
    causes.push(invalidValue(field, local, 'can only be set when AppArmor type is Localhost'))
  }
  return causes
}

function typeErrors(profile: Fields, path: string, detail: string): Cause[] {
  const type = textOf(profile.type)
  if (type === '') return [required(`${path}.type`, detail)]
  return PROFILE_TYPES.includes(type) ? [] : [notSupported(`${path}.type`, type, PROFILE_TYPES)]
}

const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const IPC_SYSCTL = /^(kernel\.(shm|msg|sem)|fs\.mqueue\.)/

function sysctlErrors(spec: Fields, context: Fields, path: string): Cause[] {
  const seen = new Set<string>()
  return items(context.sysctls, path).flatMap(({ item, path: at }) => {
    const name = textOf(item.name)
    const causes: Cause[] = []
    if (name === '') causes.push(required(`${at}.name`))
    else if (name.length > 253 || !SYSCTL.test(name)) {
      causes.push(invalidValue(`${at}.name`, name, `must have at most 253 characters and match regex ${SYSCTL.source}`))
    } else if (seen.has(name)) causes.push(duplicate(`${at}.name`, name))
    seen.add(name)
    const dotted = name.replaceAll('/', '.')
    if (spec.hostNetwork === true && dotted.startsWith('net.')) {
      causes.push(invalidValue(`${at}.name`, name, "may not be specified when 'hostNetwork' is true"))
    } else if (spec.hostIPC === true && IPC_SYSCTL.test(dotted)) {
      causes.push(invalidValue(`${at}.name`, name, "may not be specified when 'hostIPC' is true"))
    }
    return causes
  })
}

/** A pod with its own user namespace cannot share other namespaces of the host. */
export function hostUsersErrors(spec: Fields, path: string): Cause[] {
  if (spec.hostUsers !== false) return []
  const shared = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' }
  const deny = 'when `hostUsers` is false'
  const causes = Object.entries(shared).flatMap(([key, name]) =>
    spec[key] === true ? [forbiddenField(`${path}.${name}`, deny)] : [],
  )
  for (const list of CONTAINER_LISTS) {
    for (const { item, path: at } of items(spec[list], `${path}.${list}`)) {
      if (listOf(item.volumeDevices).length > 0) causes.push(forbiddenField(`${at}.volumeDevices`, deny))
    }
  }
  return causes
}
