// The etcd driver. It is an entry of its own, so that a server on SQLite loads none of it.

export { type EtcdErrorKind, isEtcdError } from './client/etcd-error.ts'
export { forgetStoreMoved, markStoreMoved, openEtcdStore, raiseRevisions } from './open.ts'
