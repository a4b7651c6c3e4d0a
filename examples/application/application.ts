// The operator of Applications. `definition.ts` derives from it the definition that the server gets.

import { operator } from '@homeostat/operator'
import { runForever } from './run-forever.ts'
import { runOnce } from './run-once.ts'
import { spec, status } from './schemas.ts'

export const application = operator(
  'cloudnative.elide.dev/v1/Application',
  { spec, status, names: { shortNames: ['app'], categories: ['all'] } },
  (context) => (context.spec.runOnce ? runOnce(context) : runForever(context)),
)
