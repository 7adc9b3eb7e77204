/**
 * Media types by file name, for display; they do not decide whether a file is text.
 *
 * Hono's table has the types of the web. The table here comes first: it has the types of source code, which
 * Hono does not know or takes for video (`.ts`).
 *
 * @module
 */

import { getMimeType } from 'hono/utils/mime'

/** The media type of a folder. */
export const FOLDER_MIME = 'inode/directory'

const CODE: Readonly<Record<string, string>> = {
  ts: 'text/typescript',
  mts: 'text/typescript',
  cts: 'text/typescript',
  tsx: 'text/tsx',
  jsx: 'text/jsx',
  md: 'text/markdown',
  py: 'text/x-python',
  rs: 'text/x-rust',
  go: 'text/x-go',
  c: 'text/x-c',
  h: 'text/x-c',
  java: 'text/x-java',
  rb: 'text/x-ruby',
  sh: 'text/x-shellscript',
  toml: 'application/toml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  sql: 'application/sql',
}

/** Returns the media type of a path. `text` chooses the default for an unknown extension. */
export function mimeOf(path: string, text: boolean): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  // A property that every object inherits, such as `constructor`, is not an entry of either table.
  const known = extension in Object.prototype ? undefined : typeOf(extension)
  return known ?? (text ? 'text/plain' : 'application/octet-stream')
}

const typeOf = (extension: string) =>
  CODE[extension] ?? getMimeType(`x.${extension}`)?.split(';')[0]
