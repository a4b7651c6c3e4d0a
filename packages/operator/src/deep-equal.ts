// Equality of JSON values, to decide whether an update is needed. A default export, so that it can replace the npm
// package `deep-equal`; an undefined field equals a missing one, as in JSON.

export { deepEqual as default } from '@homeostat/meta'
