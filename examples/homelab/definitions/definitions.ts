// The definitions of others that a Domain needs, for places without cert-manager and Istio: our own, with their groups and kinds
// and the fields that are used here. On a cluster, those of cert-manager and Istio are there.

import { readFileSync } from 'node:fs'
import type { ApiManifest } from '@homeostat/testing'

const read = (file: string): ApiManifest => JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))

export const certificates = read('certificates.json')
export const gateways = read('gateways.json')
