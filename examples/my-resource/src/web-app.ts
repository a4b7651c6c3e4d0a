import { CustomResource, createCustomResourceDefinition, SecretService, waiting } from '@homeostat/operator'
import { z } from 'zod'

const spec = z.object({
  image: z.string(),
  hostname: z.string(),
  port: z.int().min(1).max(65535).default(8080),
  replicas: z.int().min(0).default(1),
})
const status = z.object({ url: z.string(), readyReplicas: z.int() })
const credentials = z.object({ password: z.string().min(20) })

class WebApp extends CustomResource<typeof spec, typeof status> {
  readonly deployment = this.own('apps/v1', 'Deployment')
  readonly service = this.own('v1', 'Service')

  async reconcile() {
    const labels = { app: this.name }
    const secret = await this.services.get(SecretService).ensure({
      name: `${this.name}-credentials`,
      namespace: this.namespace,
      schema: credentials,
      generator: () => ({ password: crypto.randomUUID() }),
      owner: this.ref,
    })
    const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: secret.name, key: 'password' } } }]
    const { image, port, replicas } = this.spec
    await this.deployment.ensure({
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { credentials: secret.digest } },
          spec: { containers: [{ name: 'app', image, env, ports: [{ containerPort: port }] }] },
        },
      },
    })
    await this.service.ensure({ spec: { selector: labels, ports: [{ port: 80, targetPort: port }] } })
    const readyReplicas = this.deployment.status?.readyReplicas ?? 0
    await this.patchStatus({ url: `https://${this.spec.hostname}`, readyReplicas })
    if (readyReplicas < replicas) throw waiting('PodsStarting', `${readyReplicas} of ${replicas} pods are ready`)
  }
}

export const webApp = createCustomResourceDefinition({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  spec,
  status,
  create: (options) => new WebApp(options),
})
