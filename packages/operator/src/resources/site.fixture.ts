// A kind with one reference and a reconcile function that each test provides.

import { z } from 'zod'
import { GROUP } from './class-style.fixture.ts'
import { CustomResource } from './custom-resource.ts'
import { createCustomResourceDefinition } from './custom-resource-definition.ts'
import { ResourceReference } from './resource-reference.ts'
import { ResourceService } from './resource-service.ts'

export const spec = z.object({
  text: z.string().default('hello'),
  upper: z
    .string()
    .transform((text) => text.toUpperCase())
    .optional(),
  size: z.number().default(1),
})

/** Created for each test, so that tests share nothing. */
export function siteKind(reconcile: (site: Site) => Promise<unknown>, more: Partial<SiteOptions> = {}) {
  return createCustomResourceDefinition({
    group: GROUP,
    version: 'v1',
    kind: 'Site',
    spec,
    create: (options) => {
      const site = new Site(options)
      site.work = () => reconcile(site)
      if (more.cleanup) site.cleanup = () => more.cleanup?.(site) ?? Promise.resolve()
      if (more.setup) site.setup = () => more.setup?.(site) ?? Promise.resolve()
      more.created?.(site)
      return site
    },
  })
}

interface SiteOptions {
  cleanup(site: Site): Promise<void>
  setup(site: Site): Promise<void>
  created(site: Site): void
}

export class Site extends CustomResource<typeof spec> {
  readonly config = new ResourceReference()
  work: () => Promise<unknown> = async () => {}

  constructor(...options: ConstructorParameters<typeof CustomResource<typeof spec>>) {
    super(...options)
    const { name, namespace } = this
    const resources = this.services.get(ResourceService)
    this.config.current = resources.get({ apiVersion: 'v1', kind: 'ConfigMap', name, namespace })
    this.config.on('changed', this.queueReconcile)
  }

  async reconcile() {
    await this.work()
  }

  get manifest() {
    const { name, namespace, ref, spec } = this
    return {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace, ownerReferences: [ref] },
      data: { text: spec.text },
    }
  }
}
