// What a write's query says: dryRun, fieldValidation, fieldManager; refused by name when it makes no sense.

import { type Cause, invalidOptions, invalidValue, notSupported, tooLong } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import type { FieldValidation, WriteRequest } from '../registry/write-request.ts'
import type { Exchange } from './exchange.ts'
import type { ResourcePath } from './request-path.ts'

const VALIDATIONS = ['', 'Ignore', 'Warn', 'Strict']
const MAX_MANAGER = 128

export function writeRequest(
  exchange: Exchange,
  type: ResourceType,
  path: ResourcePath,
  optionsKind: string,
): WriteRequest {
  const dryRuns = exchange.hasQuery ? exchange.query.getAll('dryRun') : []
  const validation = exchange.param('fieldValidation')
  const manager = exchange.param('fieldManager')
  const causes: Cause[] = []
  if (dryRuns.some((value) => value !== 'All' && value !== ''))
    causes.push(notSupported('dryRun', dryRuns.join(','), ['All']))
  if (!VALIDATIONS.includes(validation)) causes.push(notSupported('fieldValidation', validation, VALIDATIONS))
  if (manager.length > MAX_MANAGER) causes.push(tooLong('fieldManager', MAX_MANAGER))
  else if (/[^\x20-\x7e\xa0-\uffff]/.test(manager))
    causes.push(invalidValue('fieldManager', manager, 'should only contain printable characters'))
  if (causes.length > 0) throw invalidOptions(optionsKind, causes)
  return {
    type,
    namespace: path.namespace,
    name: path.name,
    subresource: path.subresource,
    dryRun: dryRuns.includes('All'),
    fieldValidation: (validation || 'Warn') as FieldValidation,
    user: exchange.user,
    manager: manager || agentName(exchange.request.headers['user-agent']),
    warn: (text) => exchange.warn(text),
  }
}

/** `kubectl/v1.33.1 (linux/amd64)` manages fields as `kubectl`. */
function agentName(agent: string | undefined): string {
  if (agent === undefined || agent === '') return 'unknown'
  const slash = agent.indexOf('/')
  return (slash < 0 ? agent : agent.slice(0, slash)).slice(0, MAX_MANAGER)
}
