// The entry `@homeostat/apiserver/keys`: certificates and keys of a data directory, for programs that read or renew them without a
// server. It must load nothing of a server.

export { tokenKeyId } from './authn/token.ts'
export { type Authorities, type AuthorityFiles, makeNextAuthority } from './pki/authorities.ts'
export type { Authority } from './pki/certificate-authority.ts'
export { type CertificateRequest, type IssuedCertificate, issueCertificate } from './pki/issue-certificate.ts'
export {
  makePki,
  makeTokenKey,
  type Pki,
  type PkiFiles,
  readPki,
  readTokenKeys,
  tokenKeysText,
} from './pki/pki.ts'
