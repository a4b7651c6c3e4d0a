// The add-on that `npm start` loads.

import type { AddOn } from '@homeostat/cli'
import { application } from './application.ts'

export default { name: 'application', definitions: [application] } satisfies AddOn
