// The verbs of `homeostat crd`.

import type { VerbTable } from '../verb-row.ts'
import { createDefinitions, createOptions } from './create.ts'
import { deleteDefinition, deleteOptions } from './delete.ts'
import { getDefinition, getOptions } from './get.ts'
import { listDefinitions, listOptions } from './list.ts'
import { migrateOptions, migrateStorage } from './migrate.ts'

export const crdVerbs: VerbTable = {
  create: {
    summary: 'Create definitions: of colonies.io with a handler, or any CustomResourceDefinition.',
    operands: '-f FILE',
    options: createOptions,
    notes: ['To change one that is there: homeostat apply -f FILE'],
    run: (values, operands, terminal) => createDefinitions(values, operands, terminal),
  },
  list: {
    summary: 'List all definitions with their handlers.',
    operands: '',
    options: listOptions,
    run: (values, operands, terminal) => listDefinitions(values, operands, terminal),
  },
  get: {
    summary: 'Show one definition.',
    operands: 'NAME',
    options: getOptions,
    completes: 'definition',
    run: (values, operands, terminal) => getDefinition(values, operands, terminal),
  },
  migrate: {
    summary: 'Store all objects of a kind in its storage version, so that older versions can go.',
    operands: 'NAME',
    options: migrateOptions,
    notes: ['Safe beside other writers, and when it is run again.'],
    completes: 'definition',
    run: (values, operands, terminal) => migrateStorage(values, operands, terminal),
  },
  delete: {
    summary: 'Delete a definition that has no instances.',
    operands: 'NAME',
    options: deleteOptions,
    completes: 'definition',
    run: (values, operands, terminal) => deleteDefinition(values, operands, terminal),
  },
}
