// Equality of JSON values, to decide whether something has to be updated. A default export, so that it can stand where
// the npm package `deep-equal` is imported; a field that is undefined counts as absent, as it does when it is sent.

export { deepEqual as default } from '@homeostat/meta'
