// Checks the volume mounts and block devices of a container.

import { isObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, notFoundValue, notSupported } from '@homeostat/meta/server'
import { type Fields, fieldsOf, textOf } from '../fields-of.ts'
import { isSet, items, requiredText } from './field-checks.ts'
import { descendingPath, noBacksteps } from './path-checks.ts'

export function mountErrors(container: Fields, path: string, volumes: ReadonlyMap<string, Fields>): Cause[] {
  const mounts = items(container.volumeMounts, `${path}.volumeMounts`)
  const devices = items(container.volumeDevices, `${path}.volumeDevices`)
  const [mountNames, mountPaths] = [textsOf(mounts, 'name'), textsOf(mounts, 'mountPath')]
  const [deviceNames, devicePaths] = [textsOf(devices, 'name'), textsOf(devices, 'devicePath')]
  const seen = new Set<string>()
  return [
    ...mounts.flatMap(({ item, path: at }) => {
      const [name, place] = [textOf(item.name), textOf(item.mountPath)]
      const causes = requiredText(`${at}.name`, name)
      if (!volumes.has(name)) causes.push(notFoundValue(`${at}.name`, name))
      causes.push(...requiredText(`${at}.mountPath`, place))
      if (seen.has(place)) causes.push(invalidValue(`${at}.mountPath`, place, 'must be unique'))
      seen.add(place)
      if (deviceNames.has(name)) causes.push(taken(`${at}.name`, name, 'in volumeDevices'))
      if (devicePaths.has(place)) causes.push(taken(`${at}.mountPath`, place, 'as a path in volumeDevices'))
      return [...causes, ...mountOptionErrors(item, at, `${path}.volumeMounts`, container)]
    }),
    ...deviceErrors(devices, mountNames, mountPaths, volumes),
  ]
}

type Items = ReturnType<typeof items>

function textsOf(list: Items, key: string): Set<string> {
  return new Set(list.map(({ item }) => textOf(item[key])))
}

function taken(path: string, value: string, where: string): Cause {
  return invalidValue(path, value, `must not already exist ${where}`)
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None']

/** Several of these causes name the list and not the item. */
function mountOptionErrors(mount: Fields, path: string, list: string, container: Fields): Cause[] {
  const [subPath, expression] = [textOf(mount.subPath), textOf(mount.subPathExpr)]
  const causes = descendingPath(`${list}.subPath`, subPath)
  if (subPath !== '' && expression !== '') {
    causes.push(invalidValue(`${path}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive'))
  }
  causes.push(...descendingPath(`${list}.subPathExpr`, expression))
  const propagation = mount.mountPropagation
  if (isSet(propagation)) {
    const field = `${list}.mountPropagation`
    if (!PROPAGATIONS.includes(textOf(propagation))) causes.push(notSupported(field, propagation, PROPAGATIONS))
    if (propagation === 'Bidirectional' && fieldsOf(container.securityContext).privileged !== true) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers'
      causes.push(forbiddenField(field, detail))
    }
  }
  return [...causes, ...recursiveErrors(mount, `${list}.recursiveReadOnly`)]
}

function recursiveErrors(mount: Fields, path: string): Cause[] {
  const value = mount.recursiveReadOnly
  if (!isSet(value) || value === 'Disabled') return []
  const choices = ['Disabled', 'Enabled', 'IfPossible']
  if (!choices.includes(textOf(value))) return [notSupported(path, value, choices)]
  const causes: Cause[] = []
  if (mount.readOnly !== true) causes.push(forbiddenField(path, 'may only be specified when readOnly is true'))
  if (isSet(mount.mountPropagation) && mount.mountPropagation !== 'None') {
    causes.push(forbiddenField(path, 'may only be specified when mountPropagation is None or not specified'))
  }
  return causes
}

function deviceErrors(
  devices: Items,
  mountNames: ReadonlySet<string>,
  mountPaths: ReadonlySet<string>,
  volumes: ReadonlyMap<string, Fields>,
): Cause[] {
  const [names, paths] = [new Set<string>(), new Set<string>()]
  return devices.flatMap(({ item, path: at }) => {
    const [name, place] = [textOf(item.name), textOf(item.devicePath)]
    const volume = volumes.get(name)
    const causes = requiredText(`${at}.name`, name)
    if (names.has(name)) causes.push(invalidValue(`${at}.name`, name, 'must be unique'))
    if (!volume) causes.push(notFoundValue(`${at}.name`, name))
    else if (!isObject(volume.persistentVolumeClaim) && !isObject(volume.ephemeral)) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      causes.push(invalidValue(`${at}.name`, name, detail))
    }
    causes.push(...requiredText(`${at}.devicePath`, place))
    if (paths.has(place)) causes.push(invalidValue(`${at}.devicePath`, place, 'must be unique'))
    if (noBacksteps('', place).length > 0) {
      causes.push(invalidValue(`${at}.devicePath`, place, "can not contain backsteps ('..')"))
    } else paths.add(place)
    if (mountNames.has(name)) causes.push(taken(`${at}.name`, name, 'in volumeMounts'))
    if (mountPaths.has(place)) causes.push(taken(`${at}.devicePath`, place, 'as a path in volumeMounts'))
    if (name !== '') names.add(name)
    return causes
  })
}
