// The verbs of `homeostat resource`.

import type { VerbTable } from '../verb-row.ts'
import { createOptions, createResources } from './create.ts'
import { deleteOptions, deleteResource } from './delete.ts'
import { getOptions, getResource } from './get.ts'
import { listOptions, listResources } from './list.ts'
import { reconcileOptions, reconcileResource } from './reconcile.ts'

const NAME = '[KIND/]NAME'

export const resourceVerbs: VerbTable = {
  create: {
    summary: 'Create resources whose kind is defined.',
    operands: '-f FILE',
    options: createOptions,
    notes: ['To change one that is there: homeostat apply -f FILE'],
    run: (values, operands, terminal) => createResources(values, operands, terminal),
  },
  get: {
    summary: 'Find a resource by its name among all handled kinds.',
    operands: NAME,
    options: getOptions,
    completes: 'resource',
    run: (values, operands, terminal) => getResource(values, operands, terminal),
  },
  list: {
    summary: 'List the resources of all handled kinds.',
    operands: '',
    options: listOptions,
    run: (values, operands, terminal) => listResources(values, operands, terminal),
  },
  delete: {
    summary: 'Delete a resource; its handler cleans up first.',
    operands: NAME,
    options: deleteOptions,
    completes: 'resource',
    run: (values, operands, terminal) => deleteResource(values, operands, terminal),
  },
  reconcile: {
    summary: 'Have the handler look at a resource now.',
    operands: NAME,
    options: reconcileOptions,
    completes: 'resource',
    run: (values, operands, terminal) => reconcileResource(values, operands, terminal),
  },
}
