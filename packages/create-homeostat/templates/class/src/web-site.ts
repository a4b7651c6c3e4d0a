// The kind WebSite and its operator: a page becomes a ConfigMap, a Deployment of nginx that serves it, and a Service.

import { createHash } from 'node:crypto'
import { CustomResource, createCustomResourceDefinition, waiting } from '@homeostat/operator'
import { z } from 'zod'

const spec = z.object({
  title: z.string().min(1).describe('The heading of the page.').meta({ column: true }),
  text: z.string().default('').describe('What stands under the heading.'),
  replicas: z.int().min(0).max(10).default(2).describe('How many pods serve the page.'),
})
const status = z.object({ url: z.string(), readyReplicas: z.int() })

/** One instance stands for one object, from when it is first seen until it is gone. */
class WebSiteInstance extends CustomResource<typeof spec, typeof status> {
  readonly files = this.own('v1', 'ConfigMap')
  readonly server = this.own('apps/v1', 'Deployment')
  readonly service = this.own('v1', 'Service')

  /** Called whenever the object, or anything that it read or made, has changed. What it ensures twice is written once. */
  async reconcile() {
    const { title, text, replicas } = this.spec
    const labels = { 'app.kubernetes.io/name': this.name }
    const html = page(title, text)
    await this.files.ensure({ data: { 'index.html': html } })
    await this.server.ensure({
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          // Another page is another template, so that the pods are replaced.
          metadata: { labels, annotations: { 'checksum/page': createHash('sha256').update(html).digest('hex') } },
          spec: {
            containers: [
              {
                name: 'nginx',
                image: 'nginx:1.29-alpine',
                ports: [{ containerPort: 80 }],
                volumeMounts: [{ name: 'files', mountPath: '/usr/share/nginx/html' }],
              },
            ],
            volumes: [{ name: 'files', configMap: { name: this.name } }],
          },
        },
      },
    })
    await this.service.ensure({ spec: { selector: labels, ports: [{ port: 80 }] } })
    const readyReplicas = this.server.status?.readyReplicas ?? 0
    await this.patchStatus({ url: `http://${this.name}.${this.namespace}`, readyReplicas })
    if (readyReplicas < replicas) throw waiting('PodsStarting', `${readyReplicas} of ${replicas} pods are ready`)
  }
}

export const webSiteOperator = createCustomResourceDefinition({
  group: 'example.com',
  version: 'v1',
  kind: 'WebSite',
  spec,
  status,
  // `npm run synth` derives the rights from it. What else an instance reads is declared as `access`.
  children: ['v1/ConfigMap', 'apps/v1/Deployment', 'v1/Service'],
  create: (options) => new WebSiteInstance(options),
})

function page(title: string, text: string): string {
  return `<!doctype html>\n<title>${escapeHtml(title)}</title>\n<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
