// Parses the name of an image into the parameters of a pull. Pure.

export interface ImageReference {
  readonly name: string
  /** A tag or a digest. Without one the engine would pull them all. */
  readonly tag: string
}

/** `registry:5000/team/web:1.2@sha256:...`; a colon before the last slash is a port. */
export function imageReference(image: string): ImageReference {
  const digest = image.indexOf('@')
  if (digest !== -1) return { name: withoutTag(image.slice(0, digest)), tag: image.slice(digest + 1) }
  const name = withoutTag(image)
  return { name, tag: image.slice(name.length + 1) || 'latest' }
}

/** The registry as logins name it: the part before the first slash, if it looks like a host. */
export function imageRegistry(image: string): string {
  const [first = '', ...path] = image.split('/')
  return path.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : 'docker.io'
}

function withoutTag(image: string): string {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1)
  return colon === -1 ? image : image.slice(0, colon)
}
