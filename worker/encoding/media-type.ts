/**
 * Media types by file name, for listings. They do not decide whether a file is text, and `access/shown-type.ts` decides
 * what its content is shown as.
 *
 * Hono's table has the types of the web. The tables here come first: they have the types of source code, which Hono does
 * not know or takes for video (`.ts`), and those of documents.
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

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument'

const DOCUMENTS: Readonly<Record<string, string>> = {
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
  odt: `${OPEN_DOCUMENT}.text`,
  ods: `${OPEN_DOCUMENT}.spreadsheet`,
  odp: `${OPEN_DOCUMENT}.presentation`,
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  ipynb: 'application/x-ipynb+json',
}

/** Whether content of a media type is never text. */
export const cannotBeText = (mime: string): boolean =>
  /^(image\/(?!svg\+xml$)|audio\/|video\/|font\/)/.test(mime)

/** Returns the media type of a path. Text has no type that it cannot have, and one if the name has none. */
export function mimeOf(path: string, text: boolean): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  // A property that every object inherits, such as `constructor`, is not an entry of either table.
  const known = extension in Object.prototype ? undefined : typeOf(extension)
  if (known === undefined || (text && cannotBeText(known)))
    return text ? 'text/plain' : 'application/octet-stream'
  return known
}

const typeOf = (extension: string) =>
  CODE[extension] ?? DOCUMENTS[extension] ?? getMimeType(`x.${extension}`)?.split(';')[0]
