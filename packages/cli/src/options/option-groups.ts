// Options that several verbs share, and those of the verbs without a noun. They are apart from the verbs, so that help
// and completion know them without loading a verb.

export const serverOptions = ['server', 'kubeconfig', 'context'] as const
export const colonyOptions = [...serverOptions, 'namespace'] as const

const fileOptions = ['filename', 'kustomize', 'recursive'] as const
export const applyOptions = [
  ...fileOptions,
  'apply-output',
  'dry-run',
  'force-conflicts',
  'field-manager',
  'validate',
  'server-side',
  'timeout',
  ...colonyOptions,
] as const
export const getOptions = [
  'get-output',
  'watch',
  'watch-only',
  'selector',
  'field-selector',
  'all-namespaces',
  'no-headers',
  'show-labels',
  'show-managed-fields',
  'sort-by',
  'ignore-not-found',
  ...fileOptions,
  ...colonyOptions,
] as const
export const deleteOptions = [
  ...fileOptions,
  'all',
  'selector',
  'field-selector',
  'all-namespaces',
  'wait-deleted',
  'timeout',
  'delete-cascade',
  'grace-period',
  'now',
  'delete-force',
  'ignore-not-found',
  'dry-run',
  'delete-output',
  ...colonyOptions,
] as const
export const waitOptions = [
  'for',
  'wait-timeout',
  'all',
  'selector',
  'field-selector',
  'all-namespaces',
  ...fileOptions,
  ...colonyOptions,
] as const
export const dashboardOptions = ['dashboard-port', 'read-only', 'local-users', ...serverOptions] as const
export const doctorOptions = ['fix', ...serverOptions] as const
export const historyOptions = ['generation', 'history-output', ...colonyOptions] as const
export const whyOptions = ['why-output', ...colonyOptions] as const
export const rollbackOptions = ['to', 'dry-run', ...colonyOptions] as const
export const diffOptions = [
  ...fileOptions,
  'from',
  'to',
  'force-conflicts',
  'field-manager',
  'server-side',
  ...colonyOptions,
] as const
export const logsOptions = [
  'follow',
  'container',
  'all-containers',
  'selector',
  'tail',
  'since',
  'since-time',
  'previous',
  'prefix',
  'timestamps',
  'limit-bytes',
  ...colonyOptions,
] as const

/** Where etcd is, and what it is asked with. */
export const etcdOptionNames = [
  'etcd',
  'etcd-ca-file',
  'etcd-cert-file',
  'etcd-key-file',
  'etcd-user',
  'etcd-password-file',
  'etcd-prefix',
  'etcd-max-request',
] as const
export const storeOptions = [
  'store',
  ...etcdOptionNames,
  'on-loss',
  'horizon',
  'horizon-changes',
  'history-versions',
  'history-age',
  'history-size',
  'history-kind-size',
  'max-pending-writes',
] as const
/** Which credentials a server accepts besides its own. */
export const authenticationOptionNames = [
  'authentication-config',
  'token-auth-file',
  'oidc-issuer-url',
  'oidc-client-id',
  'oidc-username-claim',
  'oidc-username-prefix',
  'oidc-groups-claim',
  'oidc-groups-prefix',
  'oidc-ca-file',
] as const
/** Addresses and TLS. */
export const accessOptions = [
  'port',
  'host',
  'secure',
  'secure-port',
  'plain-http',
  'tls-san',
  'tls-cert-file',
  'tls-private-key-file',
  'client-ca-file',
] as const
export const webhookOptionNames = ['admission-webhooks', 'webhook-allow-address', 'webhook-service'] as const
export const upOptions = [
  ...accessOptions,
  'data-dir',
  'join-file',
  'peer-address',
  'with',
  'runtime',
  'local-users',
  'allow-origin',
  ...authenticationOptionNames,
  'event-ttl',
  'events-limit',
  'max-requests-inflight',
  'max-mutating-requests-inflight',
  'max-connections',
  ...webhookOptionNames,
  'log-level',
  'log-format',
  'shutdown-delay',
  'shutdown-timeout',
  ...storeOptions,
] as const
/** Where the options of a verb are read from besides flags and variables. */
export const configOptions = ['config', 'print-config'] as const
export const dataOptions = ['data-dir'] as const
export const backupOptions = [...dataOptions, 'with-keys', 'store', ...etcdOptionNames] as const
export const migrateOptions = [
  'migrate-to',
  ...dataOptions,
  ...etcdOptionNames,
  'history-versions',
  'history-age',
  'history-size',
  'history-kind-size',
] as const
export const kubeconfigOptions = [
  'user',
  'user-group',
  'admin',
  'valid-for',
  'kubeconfig-file',
  'server-address',
  'certificate-authority',
  ...dataOptions,
] as const
export const loginOptions = [
  'issuer',
  'client-id',
  'device',
  'scope',
  'issuer-ca',
  'login-name',
  'kubeconfig',
  'exec',
] as const
export const keyFileOptions = ['passphrase-file', ...dataOptions] as const
export const joinCodeOptions = [
  'join-for',
  'join-code-file',
  'server-address',
  'certificate-authority',
  ...dataOptions,
] as const
export const rotateOptions = ['finish', ...dataOptions] as const
export const typesOptions = [...serverOptions, 'group', 'out'] as const
export const devVerbOptions = [
  'dev-kubeconfig',
  'apply',
  'clean',
  'allow-breaking',
  'port',
  'with',
  'runtime',
  'log-level',
] as const
export const synthVerbOptions = ['image', 'synth-namespace', 'synth-output', 'check', 'helm', 'stdout'] as const
