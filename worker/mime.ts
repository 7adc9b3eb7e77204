/**
 * Media types by file name, for people and hosts; nothing here decides what is text.
 *
 * Hono's table knows the web. What it lacks, or reads as video where a developer means source
 * code, stands here first.
 *
 * @module
 */

import { getMimeType } from 'hono/utils/mime'

/** What MCP calls a folder. */
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

export function mimeOf(path: string, text: boolean): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  // What every object has, such as `constructor`, is no entry of either table.
  const known = extension in Object.prototype ? undefined : typeOf(extension)
  return known ?? (text ? 'text/plain' : 'application/octet-stream')
}

const typeOf = (extension: string) =>
  CODE[extension] ?? getMimeType(`x.${extension}`)?.split(';')[0]
