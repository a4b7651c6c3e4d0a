// Reads the options of a write from its query (dryRun, fieldValidation, fieldManager) and refuses invalid ones.

import {
  type Cause,
  forbiddenField,
  invalidOptions,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '@homeostat/meta/server'
import type { Exchange } from '../exchange/exchange.ts'
import { LARGE } from '../registry/large.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { FieldValidation, WriteRequest } from '../registry/write-request.ts'
import type { ResourcePath } from './request-path.ts'

const VALIDATIONS = ['', 'Ignore', 'Warn', 'Strict']
const MAX_MANAGER = 128
/** The PatchOptions of an apply, which requires a field manager and allows `force`. */
export const APPLY_OPTIONS = 'apply'

export function writeRequest(
  exchange: Exchange,
  type: ResourceType,
  path: ResourcePath,
  optionsKind: string,
): WriteRequest {
  const dryRuns = exchange.request.hasQuery ? exchange.request.query.getAll('dryRun') : []
  const validation = exchange.request.param('fieldValidation')
  const manager = exchange.request.param('fieldManager')
  const causes: Cause[] = []
  if (dryRuns.some((value) => value !== 'All' && value !== ''))
    causes.push(notSupported('dryRun', dryRuns.join(','), ['All']))
  if (!VALIDATIONS.includes(validation)) causes.push(notSupported('fieldValidation', validation, VALIDATIONS))
  if (manager.length > MAX_MANAGER) causes.push(tooLong('fieldManager', MAX_MANAGER))
  else if (/[^\x20-\x7e\xa0-\uffff]/.test(manager))
    causes.push(invalidValue('fieldManager', manager, 'should only contain printable characters'))
  if (optionsKind === APPLY_OPTIONS) {
    if (manager === '') causes.push(required('fieldManager', 'is required for apply patch'))
  } else if (exchange.request.param('force') !== '')
    causes.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  if (causes.length > 0) throw invalidOptions(optionsKind === APPLY_OPTIONS ? 'PatchOptions' : optionsKind, causes)
  return {
    type,
    namespace: path.namespace,
    name: path.name,
    subresource: path.subresource,
    dryRun: dryRuns.includes('All'),
    fieldValidation: (validation || 'Warn') as FieldValidation,
    user: exchange.user,
    held: exchange.request.peer.kind === 'internal' ? exchange.request.peer.held : undefined,
    manager: manager || agentName(exchange.request.headers['user-agent']),
    large: mayBeLarge(exchange),
    ownsBody: true,
    warn: (text) => exchange.response.warn(text),
  }
}

/** A chunked body has no length, so it may be large. */
function mayBeLarge({ request: { headers } }: Exchange): boolean {
  return Number(headers['content-length']) > LARGE || headers['transfer-encoding'] !== undefined
}

/** The default field manager: `kubectl` for the user agent `kubectl/v1.33.1 (linux/amd64)`. */
function agentName(agent: string | undefined): string {
  if (agent === undefined || agent === '') return 'unknown'
  const slash = agent.indexOf('/')
  return (slash < 0 ? agent : agent.slice(0, slash)).slice(0, MAX_MANAGER)
}
