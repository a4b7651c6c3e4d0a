// Options that verbs share. By itself, so that what a verb understands is known without loading what it does.

export const serverOptions = ['server', 'kubeconfig'] as const
export const colonyOptions = [...serverOptions, 'namespace'] as const
