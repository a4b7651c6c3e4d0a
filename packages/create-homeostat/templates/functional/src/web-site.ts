// The kind WebSite and its operator: a page becomes a ConfigMap, a Deployment of nginx that serves it, and a Service.

import { createHash } from 'node:crypto'
import { operator } from '@homeostat/operator'
import { z } from 'zod'

export const webSiteOperator = operator(
  'example.com/v1/WebSite',
  {
    spec: z.object({
      title: z.string().min(1).describe('The heading of the page.').meta({ column: true }),
      text: z.string().default('').describe('What stands under the heading.'),
      replicas: z.int().min(0).max(10).default(2).describe('How many pods serve the page.'),
    }),
    status: z.object({ url: z.string(), readyReplicas: z.int() }),
    // `npm run synth` derives the rights from it. What else the function reads is declared as `access`.
    children: ['v1/ConfigMap', 'apps/v1/Deployment', 'v1/Service'],
  },
  // Called whenever the object, or anything that this function read or made, has changed. It returns everything that
  // must exist; what it no longer returns is deleted.
  ({ name, namespace, spec, child }) => {
    const labels = { 'app.kubernetes.io/name': name }
    const html = page(spec.title, spec.text)
    const files = child('v1', 'ConfigMap', { data: { 'index.html': html } })
    const server = child('apps/v1', 'Deployment', {
      spec: {
        replicas: spec.replicas,
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
            volumes: [{ name: 'files', configMap: { name } }],
          },
        },
      },
    })
    const service = child('v1', 'Service', { spec: { selector: labels, ports: [{ port: 80 }] } })
    return {
      children: [files, server, service],
      status: { url: `http://${name}.${namespace}`, readyReplicas: server.observed?.status?.readyReplicas ?? 0 },
    }
  },
)

function page(title: string, text: string): string {
  return `<!doctype html>\n<title>${escapeHtml(title)}</title>\n<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
