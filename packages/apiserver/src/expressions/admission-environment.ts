// The variables that expressions of policies and webhooks can name, as in Kubernetes. Objects are of no declared type, unless
// a policy is checked against one.

import {
  authorizerType,
  type Cel,
  type CelEnvironment,
  type CelType,
  dynType,
  namespaceType,
  objectType,
  requestType,
  resourceCheckType,
} from '@homeostat/cel/without-compiler'

export interface AdmissionVariables {
  /** Whether there is `params`. */
  readonly params: boolean
  /** Whether there is `authorizer`. Messages have none. */
  readonly authorizer: boolean
  /** The variables that a policy defines, with the types of their values. Default: none. */
  readonly own?: ReadonlyMap<string, CelType>
  /** The type of `object` and `oldObject`. Default: any. */
  readonly object?: CelType | undefined
  /** The type of `params`. Default: any. */
  readonly paramsType?: CelType | undefined
}

export function admissionEnvironment({ createEnvironment }: Cel, given: AdmissionVariables): CelEnvironment {
  const { object = dynType, paramsType = dynType, own } = given
  return createEnvironment({
    variables: {
      object,
      oldObject: object,
      request: requestType,
      namespaceObject: namespaceType,
      ...(given.params && { params: paramsType }),
      ...(given.authorizer && { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }),
      ...(own && { variables: objectType('kubernetes.variables', Object.fromEntries(own)) }),
    },
  })
}
