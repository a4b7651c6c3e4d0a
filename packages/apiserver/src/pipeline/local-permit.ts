// Checks each call of a program inside the server against its rights. One that has all of them has none of this.

import type { Api, ObjectName, ResourceName, WriteOptions } from '../registry/api.ts'

/** Throws 403 when the program may not. */
export type Permit = (
  verb: string,
  resource: ResourceName,
  subresource: string,
  namespace: string | undefined,
  name: string | undefined,
) => void

/** The same Api, in which every call asks first. */
export function permittedApi(api: Api, permit: Permit): Api {
  const read = (verb: string, resource: ResourceName, { namespace, name }: Partial<ObjectName> = {}) =>
    permit(verb, resource, '', namespace, name)
  const write = (verb: string, resource: ResourceName, { namespace, name }: Partial<ObjectName>, subresource = '') =>
    permit(verb, resource, subresource, namespace, name)
  const partOf = (options: WriteOptions | undefined) => options?.subresource ?? ''
  return {
    ...api,
    get(resource, name) {
      read('get', resource, name)
      return api.get(resource, name)
    },
    object(resource, name) {
      read('get', resource, name)
      return api.object(resource, name)
    },
    list(resource, namespace) {
      read('list', resource, placeOf(namespace))
      return api.list(resource, namespace)
    },
    names(resource, namespace, limit) {
      read('list', resource, placeOf(namespace))
      return api.names(resource, namespace, limit)
    },
    count(resource, namespace) {
      read('list', resource, placeOf(namespace))
      return api.count(resource, namespace)
    },
    objects(resource) {
      read('list', resource)
      return api.objects(resource)
    },
    async writtenAt(resource, name) {
      read('get', resource, name)
      return api.writtenAt(resource, name)
    },
    subscribe(resource, onChange) {
      read('watch', resource)
      return api.subscribe(resource, onChange)
    },
    follow(resource, onChange) {
      read('watch', resource === 'all' ? EVERYTHING : resource)
      return api.follow(resource, onChange)
    },
    async create(resource, object, options) {
      write('create', resource, placeOf(object.metadata.namespace), partOf(options))
      return api.create(resource, object, options)
    },
    async update(resource, object, subresource) {
      write('update', resource, object.metadata as Partial<ObjectName>, subresource)
      return api.update(resource, object, subresource)
    },
    async change(resource, name, change, options) {
      write('update', resource, name, partOf(options))
      return api.change(resource, name, change, options)
    },
    writeStatus(resource, name, next) {
      try {
        write('update', resource, name, 'status')
      } catch (error) {
        return Promise.reject(error)
      }
      return api.writeStatus(resource, name, next)
    },
    async apply(resource, object, options) {
      const name = object.metadata as ObjectName
      write('patch', resource, name, partOf(options))
      if (options.subresource === undefined && api.object(resource, name) === undefined)
        write('create', resource, placeOf(name.namespace))
      return api.apply(resource, object, options)
    },
    async delete(resource, name, options) {
      write('delete', resource, name)
      return api.delete(resource, name, options)
    },
  }
}

const EVERYTHING: ResourceName = { group: '*', resource: '*' }

function placeOf(namespace: string | undefined): Partial<ObjectName> {
  return namespace === undefined ? {} : { namespace }
}
