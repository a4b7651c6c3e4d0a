// The function of the handler of ServerlessFunctions: says whether it can be called. It is not called for that.

import type { ExecutorFunction } from '@homeostat/executor'
import { readResource, refuse } from '../resource.ts'
import { partiallySupported, unusedFields } from '../unused-fields.ts'
import { FUNCTION_FIELDS, functionTarget } from './function-call.ts'

export function reconcileFunction(hosts: readonly string[]): ExecutorFunction {
  return ({ kwargs, status }) => {
    const { spec, isDeleting } = readResource(kwargs)
    if (isDeleting) return
    const target = functionTarget(spec, hosts)
    refuse(typeof target === 'string' ? [target] : [])
    status({ phase: 'Callable', conditions: [partiallySupported(unusedFields(spec, FUNCTION_FIELDS))] })
  }
}
