// The add-on that `npm start` loads. The operator is loaded with the first Application, so that other servers start without it.

import { readFileSync } from 'node:fs'
import type { AddOn } from '@homeostat/apiserver/add-on'
import { applicationAccess } from './access.ts'

/** Generated from `application.ts` by its test with UPDATE_GOLDEN=1, so that a start compiles no schema. */
const definition = JSON.parse(readFileSync(new URL('./application.crd.json', import.meta.url), 'utf8'))

const addOn: AddOn = {
  name: 'application',
  definitions: [definition],
  access: applicationAccess,
  wakes: [{ group: 'cloudnative.elide.dev', resource: 'applications' }],
  async start(client, signal, { log }) {
    const [{ run }, { application }] = await Promise.all([import('@homeostat/operator'), import('./application.ts')])
    await run(application, { client, signal, name: 'application', install: false, log }).done
  },
}

export default addOn
