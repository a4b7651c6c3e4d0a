import { operator } from '@homeostat/operator'
import { z } from 'zod'

export const site = operator(
  'ex.io/v1/Site',
  {
    spec: z.object({ image: z.string(), replicas: z.int().min(0).default(1), port: z.int().default(80) }),
    status: z.object({ url: z.string(), ready: z.int() }),
  },
  ({ name, namespace, spec, child }) => {
    const labels = { app: name }
    const web = child('apps/v1', 'Deployment', {
      spec: {
        replicas: spec.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: 'web', image: spec.image, ports: [{ containerPort: spec.port }] }] },
        },
      },
    })
    const service = child('v1', 'Service', {
      spec: { selector: labels, ports: [{ port: 80, targetPort: spec.port }] },
    })
    return {
      children: [web, service],
      status: { url: `http://${name}.${namespace}`, ready: web.observed?.status?.readyReplicas ?? 0 },
    }
  },
)
