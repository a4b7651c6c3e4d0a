// The verbs of `homeostat ca`.

import { rotateOptions } from '../../options/option-groups.ts'
import type { VerbTable } from '../verb-row.ts'
import { rotate } from './rotate.ts'

export const caVerbs: VerbTable = {
  rotate: {
    summary: 'Trust a new authority beside the old one; with --finish, the new one alone.',
    operands: '',
    options: rotateOptions,
    run: (values, operands, terminal) => rotate(values, operands, terminal),
  },
}
