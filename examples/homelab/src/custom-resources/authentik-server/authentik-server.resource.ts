// Waits for a domain, a database and Redis, then runs Authentik's server and worker on them. What runs is left running while
// a dependency is away: the conditions say so, and pods reconnect by themselves.

import { createHash, randomBytes } from 'node:crypto'
import type { LooseObject } from '@homeostat/client'
import {
  CustomResource,
  type EnsuredSecret,
  type OwnedResource,
  type Resource,
  ResourceService,
  SecretService,
  type SubresourceResult,
  waiting,
} from '@homeostat/operator'
import type { z } from 'zod'
import { readyDependency } from '../../dependency.ts'
import { durationMs } from '../../fields.ts'
import { GROUP } from '../../group.ts'
import { isRotationDue, rotationRequest, stampOf, untilRotation } from '../../rotation.ts'
import { secretNameOf } from '../postgres-database/postgres-database.names.ts'
import {
  type AuthentikManifestOptions,
  childName,
  createDeploymentManifest,
  createIngressManifest,
  createServiceManifest,
  endpointsOf,
  type Role,
} from './authentik-server.create-manifests.ts'
import {
  authentikServerSecretSchema,
  type authentikServerSpecSchema,
  type authentikServerStatusSchema,
} from './authentik-server.schemas.ts'

type OwnSecret = EnsuredSecret<z.output<typeof authentikServerSecretSchema>>

export class AuthentikServerResource extends CustomResource<
  typeof authentikServerSpecSchema,
  typeof authentikServerStatusSchema
> {
  readonly #resources = this.services.get(ResourceService)
  readonly #deployments = {
    server: this.own('apps/v1', 'Deployment', childName(this.name, 'server')),
    worker: this.own('apps/v1', 'Deployment', childName(this.name, 'worker')),
  }
  readonly #service = this.own('v1', 'Service')
  readonly #ingress = this.own('networking.k8s.io/v1', 'Ingress')
  /** Handles in fields have the caches of their kinds synced before the first reconcile. */
  readonly watched = [this.#dependencies, this.#secretOf(this.name)]

  async reconcile() {
    const found: Record<string, LooseObject> = {}
    for (const [name, dependency] of Object.entries(this.#dependencies)) {
      await this.reconcileSubresource(name, async () => {
        found[name] = readyDependency(dependency)
        return { ready: true }
      })
    }
    let secret: OwnSecret | undefined
    await this.reconcileSubresource('Secret', async () => {
      secret = await this.#reconcileSecret()
      return { ready: true }
    })
    const { Domain: domain, Database: database, Redis: redis } = found
    if (!domain || !database || !redis || !secret) return this.#blocked()
    const options = this.#optionsFor(secret, redis)
    await this.reconcileSubresource('Server', () => this.#reconcileDeployment('server', options))
    await this.reconcileSubresource('Worker', () => this.#reconcileDeployment('worker', options))
    await this.reconcileSubresource('Service', () => applied(this.#service, createServiceManifest(this.name)))
    const host = `${this.spec.subdomain}.${domain.spec?.hostname}`
    const secretName = String((domain.status as { secretName?: unknown } | undefined)?.secretName ?? '')
    await this.reconcileSubresource('Ingress', () =>
      applied(this.#ingress, createIngressManifest(this.name, host, secretName)),
    )
    await this.#reconcileHealth()
    await this.patchStatus({ ...endpointsOf(`https://${host}`), rotatedAt: secret.value.rotatedAt })
    const next = untilRotation(secret.value, this.#rotation)
    return next === undefined ? {} : { requeueAfter: { milliseconds: Math.max(1000, next) } }
  }

  /** Nothing is changed about what runs. Health says that it cannot work, whatever its pods say. */
  async #blocked() {
    await this.#reconcileHealth()
    return {}
  }

  async #reconcileHealth(): Promise<void> {
    const parts = ['Domain', 'Database', 'Redis', 'Secret', 'Server', 'Worker']
    const ill = parts.find((part) => this.conditions.get(part)?.status !== 'True')
    const condition = ill === undefined ? undefined : this.conditions.get(ill)
    await this.conditions.set('Healthy', {
      status: ill ? 'False' : 'True',
      reason: ill ? (condition?.reason ?? 'Pending') : 'Healthy',
      message: ill ? `${ill}: ${condition?.message ?? 'not yet known'}` : 'pods are ready; database and Redis answer',
    })
  }

  get #dependencies(): Readonly<Record<'Domain' | 'Database' | 'Redis', Resource<LooseObject>>> {
    const { domain, database, redis } = this.spec
    const of = (kind: string, name: string) =>
      this.#resources.of<LooseObject>({ apiVersion: `${GROUP}/v1`, kind, name, namespace: this.namespace })
    return {
      Domain: of('Domain', domain),
      Database: of('PostgresDatabase', database),
      Redis: of('RedisConnection', redis),
    }
  }

  get #rotation() {
    const every = this.spec.rotation?.every
    const everyMs = every === undefined ? undefined : durationMs(every)
    return rotationRequest(this.metadata.annotations, everyMs, this.services.cluster.clock.now())
  }

  async #reconcileSecret(): Promise<OwnSecret> {
    const request = this.#rotation
    const secrets = this.services.get(SecretService)
    const token = (bytes: number) => randomBytes(bytes).toString('base64url')
    const options = {
      name: `${this.name}-authentik`,
      namespace: this.namespace,
      schema: authentikServerSecretSchema,
      generator: () => ({
        secretKey: token(48),
        bootstrapPassword: token(24),
        bootstrapToken: token(32),
        ...stampOf(request),
      }),
      owner: this.ref,
    }
    const secret = await secrets.ensure(options)
    if (!isRotationDue(secret.value, request)) return secret
    this.event({ reason: 'Rotated', message: `the keys in Secret ${secret.name} are new ones` })
    return secrets.rotate(options)
  }

  #optionsFor(own: OwnSecret, redis: LooseObject): AuthentikManifestOptions {
    const { host, port, credentials } = redis.spec as {
      host: string
      port: number
      credentials?: { secret: string }
    }
    const databaseSecret = secretNameOf(this.spec.database)
    const digest = createHash('sha256').update(own.digest)
    for (const name of [databaseSecret, credentials?.secret]) {
      if (name !== undefined) digest.update(JSON.stringify(this.#secretOf(name).current.value ?? null))
    }
    return {
      name: this.name,
      spec: this.spec,
      secretName: own.name,
      databaseSecret,
      redis: { host, port, secret: credentials?.secret },
      digest: digest.digest('hex').slice(0, 16),
    }
  }

  #secretOf(name: string) {
    return this.services.get(SecretService).get({ name, namespace: this.namespace })
  }

  async #reconcileDeployment(role: Role, options: AuthentikManifestOptions): Promise<SubresourceResult> {
    const deployment = this.#deployments[role]
    await deployment.ensure(createDeploymentManifest(role, options))
    const { status, live } = deployment
    const wanted = this.spec.replicas[role]
    const isCurrent = (status?.observedGeneration ?? 0) >= (live?.metadata.generation ?? 1)
    const ready = isCurrent ? Math.min(status?.updatedReplicas ?? 0, status?.readyReplicas ?? 0) : 0
    if (ready >= wanted) return { ready: true }
    throw waiting('PodsStarting', `${ready} of ${wanted} pods are ready`)
  }
}

async function applied(child: Pick<OwnedResource, 'ensure'>, manifest: object): Promise<SubresourceResult> {
  await child.ensure(manifest as never)
  return { ready: true }
}
