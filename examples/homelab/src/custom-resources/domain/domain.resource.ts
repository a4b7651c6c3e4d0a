// Keeps a certificate in the namespace of the ingress and a gateway in its own. The garbage collector deletes the gateway
// with the Domain; the certificate carries the Domain's uid instead of an owner reference, and cleanup() deletes it.

import type { LooseObject } from '@homeostat/client'
import { CustomResource, type Resource, ResourceService, type SubresourceResult, waiting } from '@homeostat/operator'
import { GROUP } from '../../group.ts'
import {
  certificateNameOf,
  createCertificateManifest,
  createGatewayManifest,
  hostsOf,
  OWNER_UID,
} from './domain.create-manifests.ts'
import type { domainSpecSchema, domainStatusSchema } from './domain.schemas.ts'

const CERTIFICATE = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate' }
const GATEWAY = { apiVersion: 'networking.istio.io/v1', kind: 'Gateway' } as const

export class DomainResource extends CustomResource<typeof domainSpecSchema, typeof domainStatusSchema> {
  readonly #resources = this.services.get(ResourceService)
  readonly #gateway = this.own(GATEWAY.apiVersion, GATEWAY.kind)
  readonly #definitions = {
    certificates: this.#definition('certificates.cert-manager.io'),
    gateways: this.#definition('gateways.networking.istio.io'),
  }

  async reconcile() {
    await this.reconcileSubresource('Hostname', this.#reconcileHostname)
    await this.reconcileSubresource('Certificate', this.#reconcileCertificate)
    await this.reconcileSubresource('Gateway', this.#reconcileGateway)
    const secretName = certificateNameOf(this)
    const certificate = `${this.spec.ingress.namespace}/${secretName}`
    await this.patchStatus({ hosts: hostsOf(this.spec.hostname), certificate, secretName })
  }

  override async cleanup() {
    await this.#removeCertificates(() => true)
  }

  /** Two gateways for one host would take each other's traffic: the older Domain has it. */
  #reconcileHostname = async (): Promise<SubresourceResult> => {
    const domains = await this.#resources.list({ apiVersion: `${GROUP}/v1`, kind: 'Domain' })
    const older = domains.find((other) => other.spec?.hostname === this.spec.hostname && isOlder(other, this.metadata))
    if (!older) return { ready: true }
    const { namespace, name } = older.metadata
    throw waiting('HostnameTaken', `${this.spec.hostname} is the hostname of Domain ${namespace}/${name}`)
  }

  #reconcileCertificate = async (): Promise<SubresourceResult> => {
    this.#refuseWithoutHostname()
    requireServed(this.#definitions.certificates)
    const certificate = this.#certificate
    const found = await certificate.load()
    if (found && !this.#isOwn(found)) {
      throw waiting('NameTaken', `Certificate ${certificate.namespace}/${certificate.name} is not of this Domain`)
    }
    const { changed } = await certificate.ensure(createCertificateManifest({ ...this.#manifestOptions }))
    await this.#removeCertificates(({ metadata }) => metadata.namespace !== certificate.namespace)
    if (changed) return { ready: false, syncing: true, reason: 'Creating', message: 'the certificate is requested' }
    const ready = certificate.status?.conditions?.find(({ type }) => type === 'Ready')
    if (ready?.status === 'True') return { ready: true }
    return {
      ready: false,
      reason: ready?.reason ?? 'Pending',
      message: ready?.message ?? 'cert-manager has not answered',
    }
  }

  #reconcileGateway = async (): Promise<SubresourceResult> => {
    this.#refuseWithoutHostname()
    requireServed(this.#definitions.gateways)
    await this.#gateway.ensure(createGatewayManifest(this.#manifestOptions))
    return { ready: true }
  }

  get #manifestOptions() {
    const { name, namespace, spec } = this
    return { name, namespace, spec, uid: this.metadata.uid ?? '' }
  }

  get #certificate(): Resource<LooseObject> {
    const { namespace } = this.spec.ingress
    return this.#resources.of<LooseObject>({ ...CERTIFICATE, name: certificateNameOf(this), namespace })
  }

  #definition(name: string): Resource<LooseObject> {
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }
    return this.#resources.of<LooseObject>({ ...definition, name })
  }

  #refuseWithoutHostname(): void {
    const hostname = this.conditions.get('Hostname')
    if (hostname?.status !== 'True')
      throw waiting(hostname?.reason ?? 'Pending', 'the hostname is not that of this Domain')
  }

  #isOwn({ metadata }: LooseObject): boolean {
    return metadata.labels?.[OWNER_UID] === this.metadata.uid
  }

  /** With their keys, which cert-manager leaves behind. Those of an earlier spec may be in other namespaces. */
  async #removeCertificates(unwanted: (certificate: LooseObject) => boolean): Promise<void> {
    const labels = { [OWNER_UID]: this.metadata.uid ?? '' }
    for (const one of await this.#resources.list(CERTIFICATE, { labels })) {
      if (!unwanted(one)) continue
      const { name = '', namespace } = one.metadata
      await this.#removeKey(one, namespace)
      await this.#resources.of({ ...CERTIFICATE, name, namespace }).delete()
    }
  }

  async #removeKey(certificate: LooseObject, namespace: string | undefined): Promise<void> {
    const name = String(certificate.spec?.secretName ?? '')
    const secret = this.#resources.of<LooseObject>({ apiVersion: 'v1', kind: 'Secret', name, namespace })
    const found = await secret.load()
    const issuedFor = found?.metadata.annotations?.['cert-manager.io/certificate-name']
    if (issuedFor === certificate.metadata.name) await secret.delete()
  }
}

/** Read through its handle, so that the Domain is reconciled when the definition appears. */
function requireServed(definition: Resource<LooseObject>): void {
  const established = definition.status?.conditions?.find(({ type }) => type === 'Established')
  if (established?.status === 'True') return
  throw waiting('MissingCRD', `the server has no ${definition.name}: install what brings this definition`)
}

function isOlder(other: LooseObject, { uid = '', creationTimestamp = '' }: LooseObject['metadata']): boolean {
  const { metadata } = other
  if (metadata.uid === uid || metadata.deletionTimestamp) return false
  const [theirs, ours] = [`${metadata.creationTimestamp} ${metadata.uid}`, `${creationTimestamp} ${uid}`]
  return theirs < ours
}
