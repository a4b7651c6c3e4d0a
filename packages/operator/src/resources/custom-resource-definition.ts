// Defines a kind of the class style for `run`: its schemas, its names and how its instances are created.

import type { ApiObject } from '@homeostat/client'
import { acceptedSpec } from '../definition/accepted-spec.ts'
import type { KindNames } from '../definition/kind-names.ts'
import type { Cluster } from '../runtime/cluster.ts'
import type { Controlled } from '../runtime/controlled.ts'
import type { AdmissionFunctions } from './admission.ts'
import { type AnyResource, ClassBehaviour } from './class-behaviour.ts'
import type { CustomResource, CustomResourceOptions } from './custom-resource.ts'
import type { NamespaceOf, ResourceScope, SpecOf, SpecSchema, StatusOf, StatusSchema } from './custom-resource-types.ts'
import { describeKind } from './described-kind.ts'
import type { Instance } from './instance.ts'
import type { OlderVersion } from './older-version.ts'
import { servicesOf } from './services.ts'

export interface CustomResourceDefinitionOptions<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema,
  TScope extends ResourceScope,
  TGroup extends string = string,
  TVersion extends string = string,
  TKind extends string = string,
> extends Omit<Controlled, 'apiVersion' | 'kind' | 'definition' | 'webhooks' | 'createBehaviour'>,
    AdmissionFunctions<TSpec> {
  /** A domain of yours, the same for all your kinds. */
  readonly group: TGroup
  /** E.g. `v1`. */
  readonly version: TVersion
  /** In PascalCase. */
  readonly kind: TKind
  /** Default: derived from the kind by English rules. */
  readonly names?: KindNames
  /** Default Namespaced. */
  readonly scope?: TScope
  readonly spec: TSpec
  /** Without it the status accepts any field. */
  readonly status?: TStatus
  /**
   * Older versions of the kind, from the newest to the oldest, made by `olderVersion()`. They are served, and converted by a
   * webhook of this program; objects are stored in the version of the kind itself.
   */
  readonly versions?: Readonly<Record<string, OlderVersion>>
  /** Creates the instance of an object when it is first seen. */
  readonly create: (options: CustomResourceOptions<TSpec, TStatus, TScope>) => CustomResource<TSpec, TStatus, TScope>
}

export interface CustomResourceKind<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
  TGroup extends string = string,
  TVersion extends string = string,
  TKind extends string = string,
> extends Controlled {
  readonly apiVersion: `${TGroup}/${TVersion}`
  readonly kind: TKind
  readonly group: TGroup
  readonly version: TVersion
  readonly scope: TScope
  readonly spec: TSpec
  readonly status: TStatus
  readonly definition: ApiObject
}

export function createCustomResourceDefinition<
  TSpec extends SpecSchema,
  TStatus extends StatusSchema = undefined,
  TScope extends ResourceScope = 'Namespaced',
  const TGroup extends string = string,
  const TVersion extends string = string,
  const TKind extends string = string,
>(
  options: CustomResourceDefinitionOptions<TSpec, TStatus, TScope, TGroup, TVersion, TKind>,
): CustomResourceKind<TSpec, TStatus, TScope, TGroup, TVersion, TKind> {
  const { group, version, kind, names, spec, versions, validate, mutate, create, ...controlled } = options
  const scope = (options.scope ?? 'Namespaced') as TScope
  const status = options.status as TStatus
  const { manifest, warnings, answers } = describeKind({
    ...{ group, version, kind, names, scope, spec, status, versions },
    ...(validate && { validate }),
    ...(mutate && { mutate }),
  })
  return {
    ...controlled,
    apiVersion: `${group}/${version}`,
    kind,
    group,
    version,
    scope,
    spec,
    status,
    definition: manifest,
    ...answers,
    createBehaviour(cluster: Cluster) {
      for (const warning of warnings) cluster.log.warn({ kind }, warning)
      const services = servicesOf(cluster)
      return new ClassBehaviour({
        services,
        watched: options.select === undefined && !cluster.pulls,
        accept: async (run, cache) => acceptedSpec(run, { spec }, cache),
        create: (instance) => create(optionsFor<TSpec, TStatus, TScope>(instance)) as unknown as AnyResource,
      })
    },
  }
}

function optionsFor<TSpec extends SpecSchema, TStatus extends StatusSchema, TScope extends ResourceScope>(
  instance: Instance,
): CustomResourceOptions<TSpec, TStatus, TScope> {
  const { status } = instance.object as { status?: StatusOf<TStatus> }
  return {
    services: instance.services,
    instance,
    spec: instance.spec as SpecOf<TSpec>,
    status,
    namespace: instance.ref.namespace as NamespaceOf<TScope>,
  }
}
