// A kind of a few lines, for hazards that the homelab's own kinds do not show.

import { CustomResource, type CustomResourceOptions, createCustomResourceDefinition } from '@homeostat/operator'
import { z } from 'zod'
import { GROUP } from './src/group.ts'

export const probeSpec = z.object({
  text: z
    .string()
    .default('none')
    .transform((text) => text.toUpperCase()),
})

export type Work = (probe: Probe) => Promise<unknown>

export class Probe extends CustomResource<typeof probeSpec> {
  readonly #work: Work

  constructor(options: CustomResourceOptions<typeof probeSpec>, work: Work) {
    super(options)
    this.#work = work
  }

  async reconcile() {
    await this.#work(this)
  }
}

export function probeKind(work: Work) {
  return createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Probe',
    spec: probeSpec,
    create: (options) => new Probe(options, work),
  })
}

export function probe(name = 'one', spec: object = {}) {
  return { apiVersion: `${GROUP}/v1`, kind: 'Probe', metadata: { name, namespace: 'homelab' }, spec }
}

export const probeRef = (name = 'one') => ({ apiVersion: `${GROUP}/v1`, kind: 'Probe', name, namespace: 'homelab' })
