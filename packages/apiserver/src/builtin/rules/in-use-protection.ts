// The finalizers that protect storage in use. Every new claim, volume and VolumeAttributesClass gets one;
// controllers/storage-protection.ts removes it when nothing uses the object any more.

import type { KubeObject } from '@homeostat/meta'

export const IN_USE_FINALIZER = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  volumeattributesclasses: 'kubernetes.io/vac-protection',
} as const

export type ProtectedResource = keyof typeof IN_USE_FINALIZER

export function protectWhileInUse({ metadata }: KubeObject, resource: ProtectedResource): void {
  const finalizer = IN_USE_FINALIZER[resource]
  if (!metadata.finalizers?.includes(finalizer)) metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
}
