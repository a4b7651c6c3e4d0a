// Paths such as `.spec.location`, by which a handler names fields of its resources. Pure.

import { isObject } from '@homeostat/meta'

export const FIELD_PATH: RegExp = /^(\.[A-Za-z0-9_-]+)+$/

/** The first text, not empty, that one of the paths leads to. */
export function firstText(object: unknown, paths: readonly string[] = []): string | undefined {
  for (const path of paths) {
    let value = object
    for (const name of path.split('.').slice(1)) {
      value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
    }
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
