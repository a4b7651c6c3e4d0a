// Options of `homeostat dev`. A part of the table in option-table.ts.

import { option } from './option.ts'
import { flag, optional, text } from './value-type.ts'

export const devOptions = {
  // Without its variable: a shell that is set up for a cluster must not make an unfinished operator run there.
  'dev-kubeconfig': option(
    optional(text('FILE')),
    undefined,
    'Works on the cluster of this kubeconfig instead of starting a server. KUBECONFIG is not read.',
    { flag: 'kubeconfig' },
  ),
  apply: option(flag, undefined, 'Applies the examples as soon as their kinds are served.'),
  clean: option(flag, undefined, 'Begins without the data of earlier times.'),
  'allow-breaking': option(flag, undefined, 'Changes a definition without asking, even if that breaks what is there.'),
}
