// The verbs of `homeostat resource`.

import { colonyOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'

export const createOptions = ['file', 'wait', 'timeout', ...colonyOptions] as const
export const getOptions = ['output', 'watch', ...colonyOptions] as const
export const listOptions = ['all-namespaces', 'output', 'selector', 'watch', ...colonyOptions] as const
export const deleteOptions = ['wait', 'timeout', ...colonyOptions] as const
export const reconcileOptions = ['force', 'wait', 'timeout', ...colonyOptions] as const

const NAME = '[KIND/]NAME'

export const resourceVerbs: VerbTable = {
  create: {
    summary: 'Create resources whose kind is defined.',
    operands: '-f FILE',
    options: createOptions,
    notes: ['To change one that is there: kubectl apply -f FILE'],
    run: async (values, operands, terminal) =>
      (await import('./create.ts')).createResources(values, operands, terminal),
  },
  get: {
    summary: 'Find a resource by its name among all handled kinds.',
    operands: NAME,
    options: getOptions,
    completes: 'resource',
    run: async (values, operands, terminal) => (await import('./get.ts')).getResource(values, operands, terminal),
  },
  list: {
    summary: 'List the resources of all handled kinds.',
    operands: '',
    options: listOptions,
    run: async (values, operands, terminal) => (await import('./list.ts')).listResources(values, operands, terminal),
  },
  delete: {
    summary: 'Delete a resource; its handler cleans up first.',
    operands: NAME,
    options: deleteOptions,
    completes: 'resource',
    run: async (values, operands, terminal) => (await import('./delete.ts')).deleteResource(values, operands, terminal),
  },
  reconcile: {
    summary: 'Have the handler look at a resource now.',
    operands: NAME,
    options: reconcileOptions,
    completes: 'resource',
    run: async (values, operands, terminal) =>
      (await import('./reconcile.ts')).reconcileResource(values, operands, terminal),
  },
}
