// Certificates: authorities, and what they issue for clients and servers.

export { type Authority, makeAuthority } from './certificate-authority.ts'
export { type CertificateRequest, type IssuedCertificate, issueCertificate } from './issue-certificate.ts'
