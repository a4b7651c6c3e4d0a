// Options of `homeostat synth`. A part of the table in option-table.ts. None has a variable: the same command line gives
// the same files everywhere.

import { option } from './option.ts'
import { flag, optional, text } from './value-type.ts'

export const synthOptions = {
  image: option(optional(text('IMAGE')), undefined, "The operator's image. Default: the project's name and version."),
  'synth-namespace': option(
    optional(text('NAME')),
    undefined,
    "Where the Deployment runs. Default: the operator's only namespace, else default.",
    { flag: 'namespace', short: 'n' },
  ),
  'synth-output': option(
    optional(text('FOLDER')),
    undefined,
    "Where the files go. Default: the project's deploy/, or chart/ with --helm.",
    {
      flag: 'output',
      short: 'o',
    },
  ),
  check: option(flag, undefined, 'Writes nothing, and fails when the files differ.'),
  helm: option(flag, undefined, "Writes a Helm chart, in the project's chart/, instead of a Kustomize base."),
  stdout: option(flag, undefined, 'Writes the objects to standard output instead of files.'),
}
