// The entry `@homeostat/apiserver/keys`: certificates and keys of a data directory, for programs that read or renew them without a
// server. It must load nothing of a server.

export type { Authority } from '@homeostat/pki'
export { type CertificateRequest, type IssuedCertificate, issueCertificate } from '@homeostat/pki'
export { tokenKeyId } from './authn/token.ts'
export { type Authorities, type AuthorityFiles, makeNextAuthority } from './pki/authorities.ts'
export {
  makePki,
  makeTokenKey,
  type Pki,
  type PkiFiles,
  readPki,
  readTokenKeys,
  tokenKeysText,
} from './pki/pki.ts'
