/** Why an import could not be done, in words for the person who tried. @module */

export class ImportError extends Error {}

/** What the file system objects to, without the path and the stack. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read'
  return typeof code === 'string' ? code : String(error)
}
