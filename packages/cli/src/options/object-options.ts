// Options of the verbs that kubectl has, too: apply, get, delete, wait, diff, logs. They are called as kubectl calls them.
// A part of the table in option-table.ts.

import { option } from './option.ts'
import { choice, duration, flag, integer, optional, repeated, text } from './value-type.ts'

const fileOptions = {
  filename: option(
    repeated('FILE'),
    undefined,
    'A file or a folder of JSON or YAML, also of several documents; - reads standard input. May be repeated.',
    { short: 'f' },
  ),
  kustomize: option(
    optional(text('FOLDER')),
    undefined,
    'A folder with a kustomization.yaml that lists its resources, such as `homeostat synth` writes.',
    { short: 'k' },
  ),
  recursive: option(flag, undefined, 'Folders with their subfolders.', { short: 'R' }),
}

const writeOptions = {
  'server-side': option(flag, undefined, "Prints serverside-applied for each, as kubectl does; it's always so here."),
  'force-conflicts': option(flag, undefined, 'Takes over the fields that others manage.'),
  'field-manager': option(text('NAME'), 'homeostat', 'Who manages the fields that are sent.'),
  'dry-run': option(
    choice('none', 'server', 'client'),
    'none',
    'With server, nothing is kept, but everything is checked. With client, nothing is sent.',
  ),
  validate: option(choice('strict', 'warn', 'ignore'), 'strict', 'What happens to unknown and duplicate fields.'),
  'apply-output': option(optional(choice('json', 'yaml', 'name')), undefined, 'Prints the objects instead of words.', {
    flag: 'output',
    short: 'o',
  }),
}

const readOptions = {
  'get-output': option(
    optional(text('FORMAT')),
    undefined,
    'wide, json, yaml, name, jsonpath=TEMPLATE or custom-columns=HEADER:PATH,... Default: a table.',
    { flag: 'output', short: 'o' },
  ),
  'field-selector': option(optional(text('FIELDS')), undefined, 'Only those with these fields, e.g. metadata.name=a.'),
  'watch-only': option(flag, undefined, 'Like --watch, without what is there already.'),
  'no-headers': option(flag, undefined, 'Leaves the heads of tables out.'),
  'show-labels': option(flag, undefined, 'Adds a column with the labels.'),
  'show-managed-fields': option(flag, undefined, 'Keeps managedFields in json and yaml.'),
  'sort-by': option(optional(text('PATH')), undefined, 'Sorts by a field, e.g. .metadata.creationTimestamp.'),
  'ignore-not-found': option(flag, undefined, 'What is not there is no failure.'),
}

const deleteOptions = {
  all: option(flag, undefined, 'All of the kind in the namespace.'),
  'wait-deleted': option(flag, 'true', 'Waits until they are gone, --wait=false does not.', { flag: 'wait' }),
  'delete-cascade': option(
    choice('background', 'foreground', 'orphan'),
    'background',
    'What happens to objects that it owns: deleted after it, before it, or kept.',
    { flag: 'cascade' },
  ),
  'grace-period': option(optional(integer('SECONDS', -1, 1e9)), undefined, 'What a Pod gets to end.'),
  now: option(flag, undefined, 'A grace period of one second.'),
  'delete-force': option(flag, undefined, 'Without any grace: a Pod is gone at once.', { flag: 'force' }),
  'delete-output': option(optional(choice('name')), undefined, 'Prints TYPE/NAME instead of words.', {
    flag: 'output',
    short: 'o',
  }),
}

const waitOptions = {
  for: option(
    optional(text('WHAT')),
    undefined,
    'condition=TYPE[=STATUS], jsonpath={PATH}[=VALUE], create or delete. STATUS is True by default.',
  ),
  'wait-timeout': option(duration(0), '30s', 'Waits no longer than this in all; 0s looks once.', { flag: 'timeout' }),
}

const historyOptions = {
  generation: option(optional(text('G')), undefined, 'Prints the object as it was in this generation.'),
  'history-output': option(optional(choice('json', 'yaml')), undefined, 'Prints the history instead of a table.', {
    flag: 'output',
    short: 'o',
  }),
  'why-output': option(optional(choice('json', 'yaml')), undefined, 'Prints all steps, with every name and revision.', {
    flag: 'output',
    short: 'o',
  }),
  fix: option(flag, undefined, 'Mends what can be mended without loss: lost executors, forgotten resources.'),
  from: option(optional(text('G')), undefined, 'The generation to compare with, as `homeostat history` shows them.'),
  to: option(optional(text('G')), undefined, 'The generation to go to. Of diff: by default the current state.'),
}

const logOptions = {
  container: option(optional(text('NAME')), undefined, 'Of this container.', { short: 'c' }),
  'all-containers': option(flag, undefined, 'Of all containers.'),
  previous: option(flag, undefined, 'Of the run before, if the container was started again.', { short: 'p' }),
  prefix: option(flag, undefined, 'Each line with its pod and container.'),
  'since-time': option(optional(text('TIME')), undefined, 'Only what was written since, e.g. 2026-01-31T10:00:00Z.'),
  'limit-bytes': option(optional(integer('BYTES', 1, 1e12)), undefined, 'No more than this of each log.'),
}

export const objectOptions = {
  ...fileOptions,
  ...writeOptions,
  ...readOptions,
  ...deleteOptions,
  ...waitOptions,
  ...historyOptions,
  ...logOptions,
}
