// GET: one object, a collection, a subresource.

import { badRequest, notFound, tooLargeResourceVersion } from '@homeostat/meta'
import type { Exchange } from '../exchange/exchange.ts'
import { listObjects, parseRevision } from '../registry/list.ts'
import { objectFilter } from '../registry/object-filter.ts'
import type { Registry } from '../registry/registry.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import { scaleStored } from '../registry/scale.ts'
import { cacheName } from '../registry/write-request.ts'
import { answerList } from '../represent/list-answer.ts'
import { type Answer, answerStored, type FormOptions } from '../represent/object-answer.ts'
import {
  JSON_FORM,
  negotiate,
  plainForm,
  type Representation,
  refusalForm,
  type Subject,
} from '../represent/representation.ts'
import { answerScale } from '../represent/scale-answer.ts'
import type { IncludeObject } from '../table/table.ts'
import type { ResourcePath } from './request-path.ts'

export function formOptions(exchange: Exchange, registry: Registry, subject: Subject): FormOptions {
  const { pretty, type } = exchange
  const { accept } = exchange.request.headers
  let representation: Representation
  try {
    representation = negotiate(accept, subject, type?.custom === false)
  } catch (error) {
    exchange.form = refusalForm(accept)
    throw error
  }
  exchange.form = plainForm(representation)
  if (representation === JSON_FORM) return pretty ? PRETTY : PLAIN
  const includeObject = representation.form === 'table' ? included(exchange.param('includeObject')) : 'Metadata'
  return { representation, pretty: pretty && exchange.form !== 'protobuf', includeObject, now: registry.now() }
}

function included(asked: string): IncludeObject {
  if (asked === '') return 'Metadata'
  if (asked === 'None' || asked === 'Object' || asked === 'Metadata') return asked
  const problem = `includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`
  throw badRequest(`Unable to convert to Table as requested: ${problem}`)
}

const PLAIN: FormOptions = { representation: JSON_FORM, pretty: false, includeObject: 'Metadata', now: 0 }
const PRETTY: FormOptions = { ...PLAIN, pretty: true }

/** Answers at once whenever it can: a promise would cost as much as all the rest. */
export function handleGet(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> | undefined {
  const name = path.name ?? ''
  const options = formOptions(exchange, registry, 'object')
  const asked = exchange.hasQuery ? parseRevision(exchange.param('resourceVersion')) : 0
  if (exchange.flag('export')) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
  if (asked > registry.cache.revision) throw tooLargeResourceVersion(asked, registry.cache.revision)
  const object = registry.resource(type).get(cacheName(type, path.namespace, name))
  if (!object) throw notFound({ group: type.group, resource: type.resource }, name)
  if (path.subresource === 'scale' && type.subresources.scale) {
    const scale = scaleStored(object, type, type.subresources.scale)
    return sendAnswer(exchange, answerScale(scale, type, options))
  }
  return sendAnswer(exchange, answerStored(object, type, options))
}

function sendAnswer(exchange: Exchange, answer: Answer | Promise<Answer>): Promise<void> | undefined {
  if (answer instanceof Promise) return answer.then((made) => exchange.send(200, made))
  exchange.send(200, answer)
  return undefined
}

export async function handleList(
  exchange: Exchange,
  registry: Registry,
  type: ResourceType,
  path: ResourcePath,
): Promise<void> {
  const options = formOptions(exchange, registry, 'list')
  const filter = objectFilter(type, path.namespace, exchange.param('labelSelector'), exchange.param('fieldSelector'))
  const listed = await listObjects(registry, type, filter, {
    limit: exchange.number('limit'),
    continue: exchange.param('continue'),
    resourceVersion: exchange.param('resourceVersion'),
    resourceVersionMatch: exchange.param('resourceVersionMatch'),
  })
  await exchange.sendPieces(200, await answerList(listed, registry.resource(type), type, options))
}
