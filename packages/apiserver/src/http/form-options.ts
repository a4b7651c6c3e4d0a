// Negotiates the form of a response: JSON, YAML, protobuf, a table, metadata only. Every handler of resources calls it
// first, so that errors have the right form, too.

import { badRequest } from '@homeostat/meta'
import type { Exchange } from '../exchange/exchange.ts'
import type { Registry } from '../registry/registry.ts'
import type { FormOptions } from '../represent/object-response.ts'
import { JSON_FORM, plainForm, type Representation, refusalForm, type Subject } from '../represent/representation.ts'
import type { IncludeObject } from '../table/table.ts'

export function formOptions(exchange: Exchange, registry: Registry, subject: Subject): FormOptions {
  const { request, response, type } = exchange
  const { pretty } = request
  const { accept } = request.headers
  let representation: Representation
  try {
    representation = request.parts.negotiation.negotiate(accept, subject, type?.custom === false)
  } catch (error) {
    response.form = refusalForm(accept)
    throw error
  }
  response.form = plainForm(representation)
  if (representation === JSON_FORM) return pretty ? PRETTY : PLAIN
  const includeObject = representation.form === 'table' ? included(request.param('includeObject')) : 'Metadata'
  return { representation, pretty: pretty && response.form !== 'protobuf', includeObject, now: registry.now() }
}

function included(asked: string): IncludeObject {
  if (asked === '') return 'Metadata'
  if (asked === 'None' || asked === 'Object' || asked === 'Metadata') return asked
  const problem = `includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`
  throw badRequest(`Unable to convert to Table as requested: ${problem}`)
}

const PLAIN: FormOptions = { representation: JSON_FORM, pretty: false, includeObject: 'Metadata', now: 0 }
const PRETTY: FormOptions = { ...PLAIN, pretty: true }
